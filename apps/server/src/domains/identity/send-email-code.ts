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
/** To a mailbox that is not known to be the asker's. */
const toOneMailbox: Pace = { max: 10, seconds: 3_600 }
const byOneMerchant: Pace = { max: 60, seconds: 3_600 }

/** The purposes of somebody who is not signed in; all others belong to a session. */
const open: readonly number[] = [emailCodePurpose.login, emailCodePurpose.register, emailCodePurpose.retrievePassword]

/** Whether a code for this purpose is for somebody who is not signed in. */
export const isOpenPurpose = (purpose: number): boolean => open.includes(purpose)

/** What the answer says of every code, sent or not. */
export const codeTimes = { resend_after: limits.codeResendSeconds, expires_in: limits.codeTtlSeconds }

/**
 * Sends a 6-digit code. Not signed in, the answer and its time are the same whether the mailbox is known or not: the mail
 * is not waited for. Signed in, the code goes to the merchant's own mailbox, whatever was asked for; only the code for a
 * new mailbox goes there.
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
    // The code stays also when it never left: a new one at once would tell that there was somebody to send it to.
    void deliver(deps, key, code, input.from).catch(error => deps.log.error({ err: error }, 'a mail was not sent'))
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
    // It may be anybody's, and they did not ask for mails.
    await throttle(deps, `email code to ${input.email}`, toOneMailbox)
    target = input.email
  }
  const key: CodeKey = { channel: 'email', target, purpose: input.purpose }
  const { code, hash } = await newCode(deps, key, merchant.id)
  await deliver(deps, key, code, input.from).catch(async error => {
    // Nobody has to wait a minute for a code that never left.
    await dropCode(deps.pool, key, hash)
    deps.log.error({ err: error }, 'a mail was not sent')
    throw new Refusal('busy')
  })
  return codeTimes
}

/** Makes and stores a code; refuses with `frequent_operation` within a minute of the last one. */
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
