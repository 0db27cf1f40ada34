import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import type { AccountEvent } from './account-log.ts'
import { eventMail } from './mail-texts.ts'
import type { Merchant } from './store.ts'

/**
 * Tells a merchant by mail of a change that is done. Not waited for, and a mail that does not leave changes nothing:
 * the notification in the back-office is what counts.
 */
export function tellByMail(
  deps: Deps,
  merchant: Pick<Merchant, 'email' | 'language'>,
  event: AccountEvent,
  detail = '',
): void {
  const mail = eventMail(languageOf(merchant.language), event, detail)
  if (mail)
    deps.mail
      .send({ to: merchant.email, ...mail })
      .catch(error => deps.log.error({ err: error, event }, 'a mail was not sent'))
}
