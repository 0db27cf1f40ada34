import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { computeValueInUsdt, computeWithdrawalTerms, reserveWithdrawal } from '@coffer/core'
import { newTradeNo } from '../../kit/ids.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Asset } from '../chains/assets.ts'
import type { Destination } from '../destinations/explain-destination.ts'
import { postings } from '../ledger/store.ts'
import { enqueueWithdrawalEvent } from './notify.ts'
import type { PayoutQuote } from './quote.ts'
import { insertWithdrawal, insertWithdrawalEvents, readStoredWithdrawal } from './store.ts'

interface Returned {
  deposit: { id: string; merchant_id: string; amount: bigint }
  asset: Asset
  destination: Destination
  quote: PayoutQuote
  /** The operator who decided it. */
  who: string
  now: number
}

/**
 * Queues a withdrawal that gives a deposit back, in the transaction that credits it. It has no fee, and its gas is
 * taken from what is given back. Returns its number. Throws Refusal('amount_too_small') when the gas is more than the
 * deposit.
 */
export async function queueDepositReturn(uow: UnitOfWork, given: Returned): Promise<string> {
  const { deposit, asset, destination, quote, who, now } = given
  const { merchant_id: merchantId, amount } = deposit
  const { to, warnings } = destination
  const terms = computeWithdrawalTerms(amount, 0, quote.gas)
  if (terms.receives <= 0n) throw new Refusal('amount_too_small')
  const id = newTradeNo(now)
  const status = withdrawalStatus.transferring
  await insertWithdrawal(uow.c, {
    merchantId,
    id,
    assetId: asset.id,
    chainId: asset.chain_id,
    to,
    terms,
    value: computeValueInUsdt(amount, asset.decimals, quote.rate.price),
    rate: quote.rate,
    status,
    origin: 'return',
    appid: '',
    outNo: null,
    bodyHash: null,
    remark: '',
    warnings,
    policy: [],
    byPasskey: false,
    requestedBy: '',
    returns: deposit.id,
    now,
  })
  const event = { merchant_id: merchantId, withdrawal_id: id, seq: 1, status, event: 'requested', detail: '', who }
  await insertWithdrawalEvents(uow.c, [{ ...event, created_at: now }])
  const group = reserveWithdrawal({ id, merchantId, assetId: asset.id, ...terms })
  uow.add(postings, [{ group, memo: { trade_no: id, to_address: to }, at: now }])
  uow.add(liveHints, [{ merchant_id: merchantId, type: 'withdrawal', id }])
  enqueueWithdrawalEvent(uow, (await readStoredWithdrawal(uow.c, merchantId, id))!, 'withdrawal.created', now)
  return id
}
