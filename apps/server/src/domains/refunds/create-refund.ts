import { type RefundTerms, reserveRefund } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { liveHints } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Asset } from '../chains/assets.ts'
import { recordKnownAddresses } from '../destinations/known-addresses.ts'
import { postings } from '../ledger/store.ts'
import { type PaymentChange, savePaymentChanges } from '../payments/payment-changes.ts'
import type { PayoutReference } from '../withdrawals/once-per-number.ts'
import type { RefundRequest } from './eligibility.ts'
import { enqueueRefundEvent } from './notify.ts'
import { insertRefund, readStoredRefund } from './store.ts'

interface NewRefund extends Pick<RefundRequest, 'kind' | 'basis' | 'gasPayer'> {
  id: string
  /** The payment, under refund from now on. */
  change: PaymentChange
  appid: string
  asset: Asset
  /** In the stored form. */
  to: string
  terms: RefundTerms
  /** In 10^-18 USDT. */
  value: bigint
  reason: string
  byKey?: PayoutReference | undefined
  /** Id of the person who requests it; '' for a key, and for a payer who claims it. */
  requestedBy: string
  /** By how much it counts as refunded, in base units of the asset that was paid. */
  counted: bigint
  /** When it is sent (Unix seconds, 0: at once). */
  sendAfter: number
  byPasskey: boolean
  warnings: string[]
  /** Unix seconds. */
  now: number
}

/** Stores a refund that was checked, with its payment, reserves its total, and calls the shop back. */
export async function createRefund(deps: Deps, uow: UnitOfWork, refund: NewRefund): Promise<void> {
  const { id, change, asset, to, terms, byKey, now } = refund
  const { merchant_id: merchantId, trade_no: tradeNo, collected_by: person } = change.row
  await recordKnownAddresses(uow.c, [{ merchant_id: merchantId, chain_id: asset.chain_id, address: to, payer: true }])
  await insertRefund(
    uow.c,
    merchantId,
    id,
    tradeNo,
    refund.appid,
    asset.id,
    asset.chain_id,
    to,
    refund.kind,
    refund.basis,
    refund.gasPayer,
    terms.amount,
    terms.gas,
    terms.receives,
    terms.total,
    refund.value,
    refund.reason,
    now,
    byKey?.outNo,
    byKey?.bodyHash,
    refund.counted,
    refund.sendAfter,
    refund.byPasskey,
    refund.warnings,
    refund.requestedBy,
  )
  await savePaymentChanges(deps, uow, [change], now)
  const group = reserveRefund({ id, merchantId, assetId: asset.id, ...terms })
  uow.add(postings, [{ group, memo: { trade_no: tradeNo, to_address: to }, at: now }])
  uow.add(liveHints, [{ merchant_id: merchantId, type: 'payment', id: tradeNo, ...(person && { person }) }])
  enqueueRefundEvent(uow, (await readStoredRefund(uow.c, merchantId, id))!, 'refund.created', now)
}
