import { randomInt } from 'node:crypto'
import { emailCodePurpose, merchantStatus, phoneCodePurpose } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import type { MemberOfShop } from '../../../kit/member.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../../kit/secrets.ts'
import { countCall, type RateLimit, resetThrottle, throttle, throttleIp } from '../../../kit/throttle.ts'
import { networkKey, type Visitor } from '../../../kit/visitor.ts'
import { codeMail, codeMessage } from '../../merchants/mails.ts'
import { type Account, accountById, accountToOpenByEmail, type Merchant } from '../../merchants/store.ts'
import { findVisitorStanding } from '../../people/devices.ts'
import { deleteCode, insertCode, type VerificationCodeKey } from '../store.ts'
import { createIpQuota, requireWorkForCall } from '../work/work.ts'
import {
  type CodeHolder,
  codeThrottleKey,
  formatPhoneNumber,
  hashVerificationCode,
  requesterKey,
} from './check-code.ts'

const hour = 3_600
const day = 86_400
const ipLimit = { max: 30, seconds: hour }
/** Emails to one address without a session, requested from one network. */
const networkLimit = { max: 10, seconds: hour }
const networkDayLimit = { max: 20, seconds: day }
/** The same from all networks together. Those that signed in before do not count. Above, strangers pay with work. */
const mailboxLimit = { max: 30, seconds: hour }
const mailboxDayLimit = { max: 60, seconds: day }
/** Emails to an address that somebody wants to use, from all people together. */
const newEmailLimit = { max: 10, seconds: hour }
const merchantLimit = { max: 60, seconds: hour }

const phoneIpLimit = { max: 20, seconds: hour }
const phoneMerchantLimit = { max: 20, seconds: hour }
const phoneLimit = { max: 10, seconds: hour }
const phoneDayLimit = { max: 20, seconds: day }
/** From one network; see `networkKey`. */
const phoneNetworkLimit = { max: 40, seconds: hour }
/** Different numbers that a merchant may enter in a day. */
const numbersLimit = { max: 5, seconds: day }
/** Text messages of unapproved merchants to one country: its premium numbers are paid by whoever sends. */
const countryLimit = { max: 20, seconds: hour }
/** Text messages of all unapproved merchants together: accounts are free, messages to premium numbers are not. */
const unapprovedLimit = { max: 60, seconds: hour }

/** Dependencies of throttles that count within a transaction. */
type Counting = Pick<Deps, 'config' | 'clock'> & { pool: Queryable }

/** Purposes without a session. */
const open: readonly number[] = [emailCodePurpose.login, emailCodePurpose.register, emailCodePurpose.retrievePassword]

/** Reports whether a code for this purpose requires no session. */
export const isSessionlessPurpose = (purpose: number): boolean => open.includes(purpose)

/** The answer, whether or not a code was sent. `challenge` must come back with the code; sessions need none. */
const answerOf = (challenge: string) => ({
  resend_after: limits.codeResendSeconds,
  expires_in: limits.codeTtlSeconds,
  challenge,
})
type Answer = ReturnType<typeof answerOf>

/**
 * Sends a 6-digit code by email. Without a session, the answer and its time do not depend on whether the email has an
 * account: the mail is not awaited. With a session, the code is sent to the merchant's email, except the one that
 * verifies a new email.
 */
export async function sendEmailCode(
  deps: Deps,
  input: { purpose: number; email: string | undefined; session: MemberOfShop | null; from: Visitor },
): Promise<Answer> {
  const { purpose, email, session, from } = input
  if (isSessionlessPurpose(purpose)) return sendOpenCode(deps, { purpose, email, from })
  const merchant = await readSignedIn(deps, session)
  let target = merchant.email
  if (purpose === emailCodePurpose.updateMailboxNew) {
    if (email === undefined) throw new Refusal('bad_email', { field: 'email' })
    if (email === merchant.email) throw new Refusal('mailbox_exists', { field: 'email' })
    target = email
  }
  const count = async (counting: Counting) => {
    await throttle(counting, `email code by ${merchant.person_id}`, merchantLimit)
    if (target !== merchant.email) await throttle(counting, `email code for new ${target}`, newEmailLimit)
  }
  return sendNewCode(deps, ['email', target, purpose], { personId: merchant.person_id }, count, 'mail_failed', code =>
    deps.mail.send({ to: target, ...codeMail(from.language, purpose, code) }),
  )
}

async function sendOpenCode(
  deps: Deps,
  { purpose, email, from }: { purpose: number; email: string | undefined; from: Visitor },
): Promise<Answer> {
  if (email === undefined) throw new Refusal('bad_email', { field: 'email' })
  const known = await accountToOpenByEmail(deps.pool, email)
  const standing = await findVisitorStanding(deps.pool, known?.person_id, from)
  const count = async (counting: Counting) => {
    const own = `email code to ${email} from ${standing.key}`
    if (standing.device) {
      await throttle(counting, own, networkLimit)
      return throttle(counting, `${own} day`, networkDayLimit)
    }
    const shares = [
      createIpQuota(deps, 'email code', from.ip, ipLimit),
      { key: own, limit: networkLimit, dearest: 64 },
      { key: `${own} day`, limit: networkDayLimit, dearest: 64 },
    ]
    if (!standing.known)
      shares.push(
        { key: `email code to ${email}`, limit: mailboxLimit, dearest: 8 },
        { key: `email code to ${email} day`, limit: mailboxDayLimit, dearest: 8 },
      )
    return requireWorkForCall(counting, { call: `code ${purpose}`, mailbox: email, shares, from })
  }
  const key: VerificationCodeKey = ['email', email, purpose]
  const send = (code: string) => deps.mail.send({ to: email, ...codeMail(from.language, purpose, code) })
  // Registration always sends, so a failure reveals nothing about the email.
  if (purpose === emailCodePurpose.register) return sendNewCode(deps, key, { from }, count, 'mail_failed', send)
  // Known or not, the sender learns that no mail can be sent at all.
  await deps.mail.check().catch(error => {
    deps.log.error({ err: error }, 'the mail server cannot be used')
    throw new Refusal('mail_failed')
  })
  const { code, challenge } = await newCode(deps, key, { from }, count)
  if (known)
    // A failure keeps the code: deleting it would reveal by an earlier resend that the email has an account.
    void send(code).catch(error => deps.log.error({ err: error }, 'verification mail not sent'))
  return answerOf(challenge)
}

/**
 * Sends a 6-digit code by text message; requires a session because messages cost money. The code that binds or changes
 * the phone is sent to the given number, the one that confirms a withdrawal to the bound number.
 */
export async function sendPhoneCode(
  deps: Deps,
  input: {
    purpose: number
    phone: string | undefined
    area_code: string | undefined
    session: MemberOfShop | null
    from: Visitor
  },
): Promise<Answer> {
  const merchant = await readSignedIn(deps, input.session)
  const target = targetOf(merchant, input)
  const { smsCountries: allowed } = deps.config
  if (allowed.length > 0 && !allowed.includes(countryOf(merchant, input))) {
    const list = allowed.map(code => `+${code}`)
    throw new Refusal('sms_country', { field: 'area_code', detail: { en: list.join(', '), 'zh-CN': list.join('、') } })
  }
  const count = async (counting: Counting) => {
    await throttleIp(counting, 'phone code', input.from.ip, phoneIpLimit)
    await throttle(counting, `phone code by ${merchant.person_id}`, phoneMerchantLimit)
    // Others cannot use up what the owner of a verified number needs.
    if (input.purpose !== phoneCodePurpose.withdrawal) {
      await throttle(counting, `phone code to ${target}`, phoneLimit)
      await pace(counting, `to ${target} day`, phoneDayLimit, { en: 'this number', 'zh-CN': '该号码' })
      const isNew = (await countCall(counting, `phone ${target} of ${merchant.person_id}`, day)) === 1
      if (isNew)
        await pace(counting, `numbers of ${merchant.person_id}`, numbersLimit, {
          en: 'other numbers',
          'zh-CN': '其他号码',
        })
    }
    await pace(counting, `from ${networkKey(input.from.ip)}`, phoneNetworkLimit, {
      en: 'this network',
      'zh-CN': '当前网络',
    })
    if (merchant.status !== merchantStatus.approved) {
      const code = countryOf(merchant, input)
      await pace(counting, `to country ${code}`, countryLimit, { en: `+${code}`, 'zh-CN': `+${code}` })
      await throttle(counting, 'phone code by newcomers', unapprovedLimit)
    }
  }
  // A code for a changed phone verifies the same as one for the first phone: the number.
  const { updatePhone, bindPhone } = phoneCodePurpose
  const purpose = input.purpose === updatePhone ? bindPhone : input.purpose
  return sendNewCode(deps, ['phone', target, purpose], { personId: merchant.person_id }, count, 'busy', code =>
    deps.text.send({ to: target, text: codeMessage(input.from.language, code) }),
  )
}

/** Counts a text message; throws Refusal('sms_limit'), which names what was counted. */
async function pace(counting: Counting, key: string, limit: RateLimit, what: Record<Language, string>): Promise<void> {
  await throttle(counting, `phone code ${key}`, limit).catch(error => {
    if (!(error instanceof Refusal) || error.retryAfter === undefined) throw error
    throw new Refusal('sms_limit', { retryAfter: error.retryAfter, detail: what })
  })
}

/** Returns the country code of the number to which a code is sent. */
const countryOf = (merchant: Merchant, { purpose, area_code }: { purpose: number; area_code: string | undefined }) =>
  ((purpose === phoneCodePurpose.withdrawal ? merchant.area_code : area_code) ?? '').replace('+', '')

function targetOf(
  merchant: Merchant,
  { purpose, area_code, phone }: { purpose: number; phone: string | undefined; area_code: string | undefined },
): string {
  if (purpose === phoneCodePurpose.withdrawal) {
    if (!merchant.phone_verified) throw new Refusal('not_bound')
    return formatPhoneNumber(merchant.area_code, merchant.phone)
  }
  if (!area_code) throw new Refusal('area_code_needed', { field: 'area_code' })
  if (!phone) throw new Refusal('phone_and_area_code', { field: 'phone' })
  return formatPhoneNumber(area_code, phone)
}

async function readSignedIn(deps: Deps, session: MemberOfShop | null): Promise<Account> {
  const merchant = session === null ? undefined : await accountById(deps.pool, session.merchantId, session.personId)
  if (!merchant) throw new Refusal('login_expired')
  return merchant
}

/** Sends a new code; if that fails, deletes it, so that another one can be requested immediately. */
async function sendNewCode(
  deps: Deps,
  key: VerificationCodeKey,
  holder: CodeHolder,
  count: (counting: Counting) => Promise<void>,
  failure: 'mail_failed' | 'busy',
  send: (code: string) => Promise<unknown>,
): Promise<Answer> {
  const { code, challenge } = await newCode(deps, key, holder, count)
  try {
    await send(code)
  } catch (error) {
    await deleteCode(deps.pool, hashSecret(challenge))
    await resetThrottle(deps, codeThrottleKey(key, requesterKey(holder)))
    deps.log.error({ err: error }, 'verification code not sent')
    throw new Refusal(failure)
  }
  return answerOf(challenge)
}

/**
 * Stores a new code of a new challenge. Throws Refusal('frequent_operation') within a minute of the asker's previous
 * one, or above a limit of `count`. All limits count in one transaction, so that a refused request uses up none of
 * them.
 */
function newCode(
  deps: Deps,
  key: VerificationCodeKey,
  holder: CodeHolder,
  count: (counting: Counting) => Promise<void>,
): Promise<{ code: string; challenge: string }> {
  const code = String(randomInt(1_000_000)).padStart(limits.codeDigits, '0')
  const challenge = newSecret()
  const requester = requesterKey(holder)
  const now = deps.clock()
  return tx(deps.pool, async c => {
    const counting = { ...deps, pool: c }
    await throttle(counting, codeThrottleKey(key, requester), { max: 1, seconds: limits.codeResendSeconds })
    await count(counting)
    const hash = hashVerificationCode(deps, key, code)
    await insertCode(c, hashSecret(challenge), ...key, requester, hash, now, now + limits.codeTtlSeconds)
    return { code, challenge }
  })
}
