import type { EmailCodePurpose, PhoneCodePurpose } from '@coffer/contract'
import { messages } from '../i18n/messages.ts'
import { isSandbox } from '../lib/sandbox.ts'
import { showToast } from '../lib/toast.ts'
import { showFailureToast } from './explain.ts'
import { api } from './index.ts'

interface EmailCode {
  type: EmailCodePurpose
  /** Defaults to the signed-in merchant's email. */
  email?: string
  /** null on the login page, where nobody is signed in. */
  token?: null
  /** Receives the challenge to send back with the code. Sessions need none. */
  onSent?(challenge: string): void
}

/** Sends a 6-digit code by email. Resolves with the seconds until another may be requested, or false on failure. */
export const sendEmailCode = ({ token, onSent, ...body }: EmailCode): Promise<number | false> =>
  sending(
    api('POST /api/v1/public/email/send-verification-code', { body, ...(token === null && { token }) }),
    // The login page of a sandbox fills the code in.
    token === null && isSandbox.get(),
    onSent,
  )

/** Sends a code by text message, by default to the bound phone. Resolves like sendEmailCode. */
export const sendPhoneCode = (body: { type: PhoneCodePurpose; phone?: string; area_code?: string }) =>
  sending(api('POST /api/v1/public/sms/send-verification-code', { body }), false)

async function sending(
  call: Promise<{ resend_after: number; challenge: string }>,
  isFilledIn: boolean,
  onSent?: (challenge: string) => void,
): Promise<number | false> {
  try {
    const { resend_after, challenge } = await call
    onSent?.(challenge)
    if (!isFilledIn) showToast('success', messages('common').codeSent)
    return resend_after
  } catch (error) {
    showFailureToast(error as Error)
    return false
  }
}
