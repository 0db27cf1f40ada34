import { merchantStatus } from '@coffer/contract/codes.ts'
import type { ErrorName } from '@coffer/contract/errors.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { keepMerchantOpen, type Merchant } from './store.ts'

interface Asked {
  /** Merchant permission must be open too. */
  approved?: boolean
  /** The refusal for a closed account. */
  gone?: ErrorName
}

/**
 * Refuses a merchant who is closed, frozen or, if asked, not approved.
 *
 * Every verb that gives out an address, takes money, or changes credentials, the profile or applications calls this on a row
 * that its transaction has locked: in any mode, since closing and freezing lock it `for update`. Preferences that decide
 * nothing (followed tokens, the order of chains, what was read) do not need it.
 */
export function mustBeActive<M extends Pick<Merchant, 'status' | 'frozen'>>(
  merchant: M | undefined,
  { approved = false, gone = 'login_expired' }: Asked = {},
): M {
  if (!merchant) throw new Refusal(gone)
  if (merchant.frozen) throw new Refusal('account_frozen')
  if (!approved || merchant.status === merchantStatus.approved) return merchant
  throw new Refusal(merchant.status === merchantStatus.not_opened ? 'merchant_not_open' : 'account_under_review')
}

/** Gives an active merchant, who cannot be closed or frozen before the transaction ends. Does not exclude other verbs. */
export const lockActiveMerchant = async (c: Queryable, merchantId: string, asked?: Asked): Promise<Merchant> =>
  mustBeActive(await keepMerchantOpen(c, merchantId), asked)
