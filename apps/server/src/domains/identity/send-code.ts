import { randomInt } from 'node:crypto'
import { emailCodePurpose, merchantStatus, phoneCodePurpose } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle, throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { codeMail, codeMessage } from '../merchants/mails.ts'
import { type Merchant, merchantByEmail, merchantById } from '../merchants/store.ts'
import { codeHash } from './check-code.ts'
import { phoneNumber } from './check-proof.ts'
import { type CodeKey, deleteCode, insertCode } from './store.ts'

const hour = 3_600
const ipLimit = { max: 30, seconds: hour }
/** Emails to an address that the sender has not verified. */
const addressLimit = { max: 10, seconds: hour }
const merchantLimit = { max: 60, seconds: hour }

const phoneIpLimit = { max: 20, seconds: hour }
const phoneMerchantLimit = { max: 20, seconds: hour }
const phoneLimit = { max: 10, seconds: hour }
/** Text messages of all unapproved merchants together: accounts are free, messages to premium numbers are not. */
const unapprovedLimit = { max: 60, seconds: hour }

/** Purposes without a session. */
const open: readonly number[] = [emailCodePurpose.login, emailCodePurpose.register, emailCodePurpose.retrievePassword]

/** Tells whether a code for this purpose requires no session. */
export const isOpenPurpose = (purpose: number): boolean => open.includes(purpose)

/** The answer, whether or not a code was sent. */
const codeTimes = { resend_after: limits.codeResendSeconds, expires_in: limits.codeTtlSeconds }

/**
 * Sends a 6-digit code by email. Without a session, the answer and its time do not depend on whether the email has an
 * account: the mail is not awaited. With a session, the code is sent to the merchant's email, except the one that verifies a
 * new email.
 */
export async function sendEmailCode(
  deps: Deps,
  input: { purpose: number; email: string | undefined; merchantId: string | null; from: Visitor },
): Promise<typeof codeTimes> {
  const { purpose, email, merchantId, from } = input
  await throttleIp(deps, 'email code', from.ip, ipLimit)
  if (isOpenPurpose(purpose)) {
    if (email === undefined) throw new Refusal('bad_email', { field: 'email' })
    await throttle(deps, `email code to ${email}`, addressLimit)
    const { code } = await newCode(deps, ['email', email, purpose], '')
    const known = await merchantByEmail(deps.pool, email)
    if (known || purpose === emailCodePurpose.register)
      // A failure keeps the code: deleting it would reveal by an earlier resend that the email has an account.
      void deps.mail
        .send({ to: email, ...codeMail(from.language, purpose, code) })
        .catch(error => deps.log.error({ err: error }, 'verification mail not sent'))
    return codeTimes
  }
  const merchant = await signedInMerchant(deps, merchantId)
  await throttle(deps, `email code by ${merchant.id}`, merchantLimit)
  let target = merchant.email
  if (purpose === emailCodePurpose.updateMailboxNew) {
    if (email === undefined) throw new Refusal('bad_email', { field: 'email' })
    if (email === merchant.email) throw new Refusal('mailbox_exists', { field: 'email' })
    await throttle(deps, `email code to ${email}`, addressLimit)
    target = email
  }
  await sendNewCode(deps, ['email', target, purpose], merchant, code =>
    deps.mail.send({ to: target, ...codeMail(from.language, purpose, code) }),
  )
  return codeTimes
}

/**
 * Sends a 6-digit code by text message; requires a session because messages cost money. The code that binds or changes the
 * phone is sent to the given number, the one that confirms a withdrawal to the bound number.
 */
export async function sendPhoneCode(
  deps: Deps,
  input: {
    purpose: number
    phone: string | undefined
    area_code: string | undefined
    merchantId: string | null
    from: Visitor
  },
): Promise<typeof codeTimes> {
  const merchant = await signedInMerchant(deps, input.merchantId)
  const target = targetOf(merchant, input)
  await throttleIp(deps, 'phone code', input.from.ip, phoneIpLimit)
  await throttle(deps, `phone code by ${merchant.id}`, phoneMerchantLimit)
  await throttle(deps, `phone code to ${target}`, phoneLimit)
  if (merchant.status !== merchantStatus.approved) await throttle(deps, 'phone code by newcomers', unapprovedLimit)
  // A code for a changed phone verifies the same as one for the first phone: the number.
  const { updatePhone, bindPhone } = phoneCodePurpose
  const purpose = input.purpose === updatePhone ? bindPhone : input.purpose
  await sendNewCode(deps, ['phone', target, purpose], merchant, code =>
    deps.text.send({ to: target, text: codeMessage(input.from.language, code) }),
  )
  return codeTimes
}

function targetOf(
  merchant: Merchant,
  { purpose, area_code, phone }: { purpose: number; phone: string | undefined; area_code: string | undefined },
): string {
  if (purpose === phoneCodePurpose.withdrawal) {
    if (!merchant.phone_verified) throw new Refusal('not_bound')
    return phoneNumber(merchant.area_code, merchant.phone)
  }
  if (!area_code) throw new Refusal('area_code_needed', { field: 'area_code' })
  if (!phone) throw new Refusal('phone_and_area_code', { field: 'phone' })
  return phoneNumber(area_code, phone)
}

async function signedInMerchant(deps: Deps, merchantId: string | null): Promise<Merchant> {
  const merchant = merchantId === null ? undefined : await merchantById(deps.pool, merchantId)
  if (!merchant) throw new Refusal('login_expired')
  return merchant
}

/** Sends a new code; if that fails, deletes it, so that another one can be requested immediately. */
async function sendNewCode(
  deps: Deps,
  key: CodeKey,
  merchant: Merchant,
  send: (code: string) => Promise<unknown>,
): Promise<void> {
  const { code, hash } = await newCode(deps, key, merchant.id)
  try {
    await send(code)
  } catch (error) {
    await deleteCode(deps.pool, ...key, hash)
    deps.log.error({ err: error }, 'verification code not sent')
    throw new Refusal('busy')
  }
}

/** Stores a new code; throws Refusal('frequent_operation') within a minute of the previous one. */
async function newCode(deps: Deps, key: CodeKey, owner: string): Promise<{ code: string; hash: Buffer }> {
  const code = String(randomInt(1_000_000)).padStart(limits.codeDigits, '0')
  const hash = codeHash(deps, key, owner, code)
  const now = deps.clock()
  const { codeTtlSeconds, codeResendSeconds } = limits
  if (!(await insertCode(deps.pool, ...key, hash, now, now + codeTtlSeconds, codeResendSeconds)))
    throw new Refusal('frequent_operation', { retryAfter: codeResendSeconds })
  return { code, hash }
}
