import type { RouteBody, RouteData } from '@coffer/contract'
import { filterProofMethods, type ProofAction, proofActions, securityGroupOf } from '@coffer/contract/codes.ts'
import { isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendEmailCode, sendPhoneCode } from '../../api/codes.ts'
import { api, RequestRefused, RequestUnanswered } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { loadMessages, messages, useMessages } from '../../i18n/messages.ts'
import { cancelErrorToast, showToast } from '../../lib/toast.ts'
import { canUsePasskeys, PasskeyFailure, signWithPasskey } from '../passkey.ts'
import type { ConfirmationMethod, ProofView } from './ProofFields.tsx'

export type Proof = RouteBody<'DELETE /api/v1/user'>['proof']

// Fields of a proof are drawn in dialogs, which should not wait for their texts.
void loadMessages('proof')

export interface ProofState extends ProofView {
  /**
   * Runs a submission with `{ proof }`. With an incomplete code it shows an error instead; a code refused by the server
   * shows as the field's error.
   */
  confirm(send: (body: { proof: Proof }) => Promise<unknown>): Promise<void>
}

/** Asks a passkey to sign for an action with its data. */
async function signed(action: ProofAction, data: Record<string, string> | undefined): Promise<Proof> {
  const options = await api('POST /api/v1/user/passkey/ask', { body: { action, ...(data && { data }) } })
  return { method: 'passkey', assertion: await signWithPasskey(options) }
}

/** Server error codes of a refused proof. */
const proofRefusals = [10008, 10018, 10027, 10042, 10068, 10135, 10136, 10140, 10145, 10195]

/** Whether a refusal concerns the proof, which then shows it. */
export const isProofRefusal = ({ code, field = 'proof' }: RequestRefused) =>
  proofRefusals.includes(code) && field.startsWith('proof')

interface Options {
  /** What a passkey signs besides the action; the server compares it with what is sent. */
  data?: (() => Record<string, string>) | undefined
  /** Whether only a passkey will do. */
  passkeyOnly?: boolean | undefined
  /**
   * Whether a code is exchanged for a ticket before the submission, which asks a device for something else. A device
   * that refuses can be tried again with the same ticket, while the code is spent.
   */
  exchanged?: boolean
}

/** The ways in which the merchant may prove an action in this browser, and the one to begin with. */
function waysOf(
  action: ProofAction,
  user: RouteData<'GET /api/v1/user/info'> | undefined,
  passkeyOnly: boolean,
): { ways: ConfirmationMethod[]; first: ConfirmationMethod } {
  const group = securityGroupOf(action)
  const methods = filterProofMethods(user?.security_switch ?? ['email'], group && user?.security_choices[group])
  const ways: ConfirmationMethod[] = methods.filter(way =>
    way === 'passkey'
      ? canUsePasskeys() && !user?.passkeys_host
      : !passkeyOnly && (way !== 'phone' || proofActions[action].phone !== null),
  )
  // In place of a lost authenticator a recovery code binds another one.
  if (action === 'google-auth' && user && user.bind_google_auth && user.recovery_codes > 0) ways.push('recovery')
  // Without passkeys in this browser, or any that work here, the fields say so: a code would be refused.
  return { ways, first: ways[0] ?? (passkeyOnly || methods.includes('passkey') ? 'passkey' : 'email') }
}

/** A fresh proof of the merchant's identity for an action. Rendered by ProofFields. */
export function useProof(
  action: ProofAction,
  { data, passkeyOnly = false, exchanged = false }: Options = {},
): ProofState {
  const t = useMessages('common')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const [chosen, setWay] = useState<ConfirmationMethod | null>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [ticket, setTicket] = useState<Proof>()
  const { phone, email } = proofActions[action]
  const { ways, first } = waysOf(action, user, passkeyOnly)
  const way = chosen ?? first
  const enter = (next: string) => {
    setCode(next)
    setError(null)
    setTicket(undefined)
  }
  async function prove(): Promise<Proof> {
    if (way === 'passkey') return signed(action, data?.())
    const proof = { method: way, code: code.trim() }
    if (ticket || !exchanged) return ticket ?? proof
    const answer = await api('POST /api/v1/user/verification', { body: { proof, action } })
    const next: Proof = { method: 'ticket', code: answer.ticket }
    setTicket(next)
    return next
  }
  return {
    ways,
    way,
    code,
    error,
    passkeysHost: user?.passkeys_host,
    to: (way === 'phone' ? user && `+${user.area_code.replace('+', '')}${user.phone}` : user?.email) ?? '',
    setWay: next => {
      setWay(next)
      enter('')
    },
    setCode: enter,
    sendCode: () =>
      way === 'phone' && phone !== null ? sendPhoneCode({ type: phone }) : sendEmailCode({ type: email }),
    async confirm(send) {
      if (way === 'recovery' && code.trim() === '') return setError(messages('common').required)
      if (way !== 'passkey' && way !== 'recovery' && !isSixDigitCode(code)) {
        setError(t.validaCode)
        if (way === 'google' && code === '') showToast('error', t.authenticatorCode)
        return
      }
      setError(null)
      try {
        await send({ proof: await prove() })
      } catch (thrown) {
        if (thrown instanceof PasskeyFailure) {
          setError(messages('proof').failures[thrown.reason])
          throw new RequestUnanswered('aborted')
        }
        if (thrown instanceof RequestRefused && isProofRefusal(thrown)) {
          cancelErrorToast(thrown.message)
          setError(thrown.message)
          setTicket(undefined)
        }
        throw thrown
      }
    },
  }
}
