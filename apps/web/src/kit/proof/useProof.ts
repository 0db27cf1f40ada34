import type { Body } from '@coffer/contract'
import { type ProofAction, proofActions } from '@coffer/contract/codes.ts'
import { isCode } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendEmailCode, sendPhoneCode } from '../../api/codes.ts'
import { Refused } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast, tellElsewhere } from '../../lib/toast.ts'

export type Proof = Body<'DELETE /api/v1/user'>['proof']
export type Way = 'google' | 'email' | 'phone'

export interface ProofState {
  /** The merchant's methods, preferred first. */
  ways: readonly Way[]
  way: Way
  code: string
  error: string | null
  setWay(way: Way): void
  setCode(code: string): void
  /** Sends a code by email or phone. Resolves with the seconds until the next one, or false. */
  sendCode(): Promise<number | false>
  /**
   * Runs a submission with `{ proof }`. With an incomplete code it shows an error instead; a code refused by the server
   * shows as the field's error.
   */
  confirm(send: (body: { proof: Proof }) => Promise<unknown>): Promise<void>
}

/** Server error codes of a refused proof. */
const proofRefusals = [10008, 10018, 10027, 10042, 10068]

const refusesProof = ({ code, field = 'proof' }: Refused) => proofRefusals.includes(code) && field.startsWith('proof')

/** A fresh proof of the merchant's identity for an action. Rendered by ProofFields. */
export function useProof(action: ProofAction): ProofState {
  const t = useMessages('common')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const [chosen, setWay] = useState<Way | null>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { phone, email } = proofActions[action]
  const ways = (user?.security_switch ?? ['email']).filter(way => way !== 'phone' || phone !== null)
  const way = chosen ?? ways[0] ?? 'email'
  return {
    ways,
    way,
    code,
    error,
    setWay: next => {
      setWay(next)
      setCode('')
      setError(null)
    },
    setCode: next => {
      setCode(next)
      setError(null)
    },
    sendCode: () =>
      way === 'phone' && phone !== null ? sendPhoneCode({ type: phone }) : sendEmailCode({ type: email }),
    async confirm(send) {
      if (!isCode(code)) {
        setError(t.validaCode)
        if (way === 'google' && code === '') showToast('error', t.authenticatorCode)
        return
      }
      try {
        await send({ proof: { method: way, code } })
      } catch (thrown) {
        if (thrown instanceof Refused && refusesProof(thrown)) {
          tellElsewhere(thrown.message)
          setError(thrown.message)
        }
        throw thrown
      }
    },
  }
}
