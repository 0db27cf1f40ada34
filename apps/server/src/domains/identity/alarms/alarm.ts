import type { ToldEvent } from '@coffer/contract/audiences.ts'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import { describeIpLocation } from '../../../kit/audit.ts'
import { all, run } from '../../../kit/db.ts'
import { deviceName, plainIp, type Visitor } from '../../../kit/visitor.ts'
import { renderAlarmMessage, sendEventMail } from '../../merchants/mails.ts'
import { accountById, type Merchant } from '../../merchants/store.ts'
import { formatLocation } from '../../notifications/origin-text.ts'
import { formatPhoneNumber } from '../codes/check-code.ts'

const formerEmails = all(
  'former-emails',
  'select email from former_emails where person_id = $1 order by until desc limit 20',
)
/** Keeps an email that a person no longer uses. */
export const keepFormerEmail = run(
  'former-email-keep',
  `insert into former_emails (person_id, email, until) values ($1, $2, $3)
   on conflict (person_id, email) do update set until = $3`,
)

/**
 * Notifies a person of a shop, as of before the event, of what a thief may have done, beside its notification: by mail
 * to the present and every former email, and by text message to a verified phone, each with a link that ends it.
 * Failures are only logged.
 */
export async function sendSecurityAlert(
  deps: Deps,
  before: Pick<Merchant, 'id' | 'person_id'> & Partial<Merchant>,
  event: ToldEvent,
  detail: Parameters<typeof sendEventMail>[3] = '',
): Promise<void> {
  const { id, person_id } = before
  const present = await accountById(deps.pool, id, person_id)
  if (!present) return
  const merchant = { ...present, ...before }
  const former = await formerEmails(deps.pool, person_id)
  const others = new Set([...former.map(each => each.email), present.email])
  others.delete(merchant.email)
  for (const email of [...others, merchant.email]) sendEventMail(deps, { ...merchant, email }, event, detail)
  const text = renderAlarmMessage(deps, merchant, event)
  if (!merchant.phone_verified || text === undefined) return
  const to = formatPhoneNumber(merchant.area_code, merchant.phone)
  deps.text.send({ to, text }).catch(error => deps.log.warn({ err: error, event }, 'account message not sent'))
}

/** Returns where a visitor is, for a mail. */
export function describeVisitorLocation(deps: Deps, from: Visitor, language: Language): string {
  const address = describeIpLocation(deps, from.ip)
  const place = address === 'unknown' ? '' : formatLocation(address, language)
  return [plainIp(from.ip), place, deviceName(from.device)].filter(Boolean).join(' · ')
}

/** Notifies a merchant of a sign-in that holds withdrawals. Returns the answer without the merchant. */
export async function sendSecurityHoldAlert<T extends { held?: Merchant }>(
  deps: Deps,
  { held, ...signedIn }: T,
  from: Visitor,
): Promise<Omit<T, 'held'>> {
  if (held)
    await sendSecurityAlert(deps, held, 'new_device', describeVisitorLocation(deps, from, languageOf(held.language)))
  return signedIn
}
