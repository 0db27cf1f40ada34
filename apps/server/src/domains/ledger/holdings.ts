import { paymentStatus } from '@coffer/contract/codes.ts'
import { first, type Queryable } from '../../kit/db.ts'

const { open, refunding, in_doubt, dropped } = paymentStatus

const holdings = first(
  'merchant-holds',
  `select exists (select 1 from ledger_accounts where merchant_id = $1 and balance > 0)
       or exists (select 1 from deposits where merchant_id = $1 and state = 'seen')
       or exists (select 1 from payments where merchant_id = $1 and status in (${open}, ${refunding}, ${in_doubt}, ${dropped})) as holds`,
)

/** Whether a merchant owns money, is owed some that is on its way, or has payments that somebody may still pay. */
export const holdsAnything = async (c: Queryable, merchantId: string): Promise<boolean> =>
  (await holdings(c, merchantId))!.holds
