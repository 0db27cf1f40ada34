import type { Body } from '@coffer/contract'
import { type ProofAction, proofActions } from '@coffer/contract/codes.ts'
import { isCode } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendEmailCode, sendPhoneCode } from '../../api/codes.ts'
import { Refused } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'

export type Proof = Body<'DELETE /api/v1/user'>['proof']
export type Way = 'google' | 'email' | 'phone'

export interface ProofState {
  /** The ways of this merchant, the preferred one first. */
  ways: readonly Way[]
  /** False when the action goes without a proof for now. */
  needed: boolean
  way: Way
  code: string
  error: string | null
  setWay(way: Way): void
  setCode(code: string): void
  /** Sends the code by e-mail or phone. Gives the seconds until the next one, or false. */
  sendCode(): Promise<number | false>
  /**
   * Runs a submission with the proof in its body: `{ proof }`, or nothing when none is needed. Without a whole code it
   * says so and runs nothing; a code that the server refuses shows as the field's error.
   */
  confirm(send: (body: { proof?: Proof }) => Promise<unknown>): Promise<void>
}

/** The codes with which the server refuses a proof. */
const proofRefusals = [10008, 10018, 10027, 10042, 10068]

/** A fresh proof that it is the merchant, for one kind of action. ProofFields draws it. */
export function useProof(action: ProofAction): ProofState {
  const t = useMessages('common')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const [chosen, setWay] = useState<Way | null>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { phone, email, always } = proofActions[action]
  const ways = (user?.security_switch ?? ['email']).filter(way => way !== 'phone' || phone !== null)
  const way = chosen ?? ways[0] ?? 'email'
  const needed = always || ways.includes('google')
  return {
    ways,
    needed,
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
      if (needed && !isCode(code)) {
        setError(t.validaCode)
        if (way === 'google' && code === '') showToast('error', t.authenticatorCode)
        return
      }
      try {
        await send(needed ? { proof: { method: way, code } } : {})
      } catch (thrown) {
        if (thrown instanceof Refused && proofRefusals.includes(thrown.code)) setError(thrown.message)
        throw thrown
      }
    },
  }
}
