import { merchantStatus } from '@coffer/contract/codes.ts'
import type { ErrorName } from '@coffer/contract/errors.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lockMerchantAgainstClosing, type Merchant } from './store.ts'

interface Requirements {
  /** Also require approval. */
  approved?: boolean
  /** Error for a closed account. */
  missing?: ErrorName
}

/** Returns why an account is frozen, where operators let the merchant know, and where to write to. */
export const formatFreezeReason = (
  { config: { contact } }: Pick<Deps, 'config'>,
  { frozen_reason: reason }: Pick<Merchant, 'frozen_reason'>,
): Record<Language, string> => ({
  en: [reason, contact && `write to ${contact}`].filter(Boolean).join('; '),
  'zh-CN': [reason, contact && `联系方式：${contact}`].filter(Boolean).join('；'),
})

/**
 * Refuses the sign-in (`account_frozen`) or the session of a frozen account, and says no more than
 * `formatFreezeReason`.
 */
export function assertMerchantNotFrozen(
  deps: Pick<Deps, 'config'>,
  merchant: Pick<Merchant, 'frozen' | 'frozen_reason'>,
  name: 'account_frozen' | 'session_frozen',
): void {
  if (!merchant.frozen) return
  const detail = formatFreezeReason(deps, merchant)
  throw new Refusal(name, detail.en === '' ? {} : { detail })
}

/**
 * Refuses a merchant who is closed, frozen or, if `approved` is set, not approved.
 *
 * Every command that allocates an address, accepts money, or changes credentials, the profile or applications must call
 * this on a row locked by its transaction. Any lock mode suffices, because closing and freezing lock the row `for
 * update`. Pure preferences (followed tokens, chain order, read markers) do not need it.
 */
export function requireActiveMerchant<M extends Pick<Merchant, 'status' | 'frozen'>>(
  merchant: M | undefined,
  { approved = false, missing = 'login_expired' }: Requirements = {},
): M {
  if (!merchant) throw new Refusal(missing)
  if (merchant.frozen) throw new Refusal('account_frozen')
  if (!approved || merchant.status === merchantStatus.approved) return merchant
  throw new Refusal(merchant.status === merchantStatus.not_opened ? 'merchant_not_open' : 'account_under_review')
}

/** Returns an active merchant and prevents closing and freezing until the transaction ends. Allows other commands. */
export const lockActiveMerchant = async (
  c: Queryable,
  merchantId: string,
  requirements?: Requirements,
): Promise<Merchant> => requireActiveMerchant(await lockMerchantAgainstClosing(c, merchantId), requirements)
