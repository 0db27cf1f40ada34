import { randomInt } from 'node:crypto'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Pace, throttle, throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { codeMail } from '../merchants/mails.ts'
import { merchantByEmail, merchantById } from '../merchants/store.ts'
import { codeHash } from './check-code.ts'
import { type CodeKey, dropCode, putCode } from './codes.ts'

const fromOneNetwork: Pace = { max: 30, seconds: 3_600 }
/** Limit per mailbox that the requester has not proved to own. */
const toOneMailbox: Pace = { max: 10, seconds: 3_600 }
const byOneMerchant: Pace = { max: 60, seconds: 3_600 }

/** Purposes that require no session. */
const open: readonly number[] = [emailCodePurpose.login, emailCodePurpose.register, emailCodePurpose.retrievePassword]

/** Reports whether codes for this purpose require no session. */
export const isOpenPurpose = (purpose: number): boolean => open.includes(purpose)

/** Response to every code request, whether or not a code was sent. */
export const codeTimes = { resend_after: limits.codeResendSeconds, expires_in: limits.codeTtlSeconds }

/**
 * Sends a 6-digit code. Without a session, does not wait for the mail, so that response and timing are the same for known
 * and unknown mailboxes. With a session, ignores the requested address and uses the merchant's own mailbox, except to
 * verify a new mailbox.
 */
export async function sendEmailCode(
  deps: Deps,
  input: { purpose: number; email: string | undefined; merchantId: string | null; from: Visitor },
): Promise<typeof codeTimes> {
  await throttleIp(deps, 'email code', input.from.ip, fromOneNetwork)
  return isOpenPurpose(input.purpose) ? sendToAnybody(deps, input) : sendToMerchant(deps, input)
}

async function sendToAnybody(deps: Deps, input: { purpose: number; email: string | undefined; from: Visitor }) {
  if (input.email === undefined) throw new Refusal('bad_email', { field: 'email' })
  await throttle(deps, `email code to ${input.email}`, toOneMailbox)
  const key: CodeKey = { channel: 'email', target: input.email, purpose: input.purpose }
  const { code } = await newCode(deps, key, '')
  const known = await merchantByEmail(deps.pool, input.email)
  if (known || input.purpose === emailCodePurpose.register)
    // The code is kept when sending fails: allowing an immediate retry would reveal that the account exists.
    void deliver(deps, key, code, input.from).catch(error => deps.log.error({ err: error }, 'code mail not sent'))
  return codeTimes
}

async function sendToMerchant(
  deps: Deps,
  input: { purpose: number; email: string | undefined; merchantId: string | null; from: Visitor },
) {
  const merchant = input.merchantId === null ? undefined : await merchantById(deps.pool, input.merchantId)
  if (!merchant) throw new Refusal('login_expired')
  await throttle(deps, `email code by ${merchant.id}`, byOneMerchant)
  let target = merchant.email
  if (input.purpose === emailCodePurpose.updateMailboxNew) {
    if (input.email === undefined) throw new Refusal('bad_email', { field: 'email' })
    if (input.email === merchant.email) throw new Refusal('mailbox_exists', { field: 'email' })
    // The new mailbox may belong to someone else.
    await throttle(deps, `email code to ${input.email}`, toOneMailbox)
    target = input.email
  }
  const key: CodeKey = { channel: 'email', target, purpose: input.purpose }
  const { code, hash } = await newCode(deps, key, merchant.id)
  await deliver(deps, key, code, input.from).catch(async error => {
    // Allows an immediate retry.
    await dropCode(deps.pool, key, hash)
    deps.log.error({ err: error }, 'code mail not sent')
    throw new Refusal('busy')
  })
  return codeTimes
}

/** Creates and stores a code; refuses with `frequent_operation` within a minute of the last one. */
export async function newCode(deps: Deps, key: CodeKey, owner: string): Promise<{ code: string; hash: Buffer }> {
  const code = String(randomInt(1_000_000)).padStart(limits.codeDigits, '0')
  const hash = codeHash(deps, key, owner, code)
  const now = deps.clock()
  const stored = await putCode(deps.pool, key, {
    hash,
    now,
    expiresAt: now + limits.codeTtlSeconds,
    resendSeconds: limits.codeResendSeconds,
  })
  if (!stored) throw new Refusal('frequent_operation', { retryAfter: limits.codeResendSeconds })
  return { code, hash }
}

const deliver = async (deps: Deps, key: CodeKey, code: string, from: Visitor): Promise<void> =>
  deps.mail.send({ to: key.target, ...codeMail(from.language, key.purpose, code) })
