import { askedAmount } from '@coffer/core'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { coolDownSeconds, insertAddress, lease, leasedAddress, takeFreeAddress, takeIndex } from '../store/addresses.ts'
import { type Asset, enabledAsset } from '../store/assets.ts'
import { type Queryable, tx } from '../store/db.ts'
import { lockPayments, type StoredPayment } from '../store/payments.ts'
import { PaymentChange, saveChanges } from './payment-changes.ts'

/**
 * The payer chooses chain and token: fixes the exact amount by the locked rate and leases an address. May be changed
 * until money was seen. Choosing the same again changes nothing.
 */
export async function chooseAsset(
  deps: Deps,
  { tradeNo, assetId }: { tradeNo: string; assetId: string },
): Promise<void> {
  await tx(deps.pool, async c => {
    const [row] = await lockPayments(c, [tradeNo])
    if (!row) throw new Refusal('transaction_not_exist')
    if (row.asset_id === assetId) return
    const asset = await enabledAsset(c, assetId)
    if (!asset || (row.fixed_asset_id && row.fixed_asset_id !== assetId)) throw new Refusal('currency_not_supported')
    const now = deps.clock()
    const change = new PaymentChange(row)
    await giveAsset(deps, c, change, asset, now)
    await saveChanges(deps, c, [change], now)
  })
}

/** Gives a locked payment an asset and an address to pay it to. */
export async function giveAsset(
  deps: Deps,
  c: Queryable,
  change: PaymentChange,
  asset: Asset,
  now: number,
): Promise<void> {
  const { row } = change
  if (asset.halted || !asset.started) throw new Refusal('chain_unavailable')
  const rate = row.token_rates[asset.symbol]
  if (!rate) throw new Refusal('price_unavailable')
  change.meet({ type: 'asset_chosen', asked: askedAmount(BigInt(row.usdt_amount), asset.decimals, rate.price) }, now)
  const address =
    (await leasedAddress(c, row.merchant_id, row.trade_no, asset.kind)) ??
    (await leaseAddress(deps, c, row, asset, now))
  change.beside = { asset_id: asset.id, chain_id: asset.chain_id, address }
}

async function leaseAddress(
  deps: Deps,
  c: Queryable,
  row: StoredPayment,
  { kind }: Asset,
  now: number,
): Promise<string> {
  const { merchant_id: merchantId, trade_no: tradeNo } = row
  const address =
    (await takeFreeAddress(c, merchantId, kind, now)) ??
    (await newAddress(deps, c, { merchantId, kind, purpose: 'lease', now }))
  await lease(c, { kind, address, merchantId, tradeNo, since: now, freeAt: row.expire_at + coolDownSeconds })
  return address
}

/** Gives out the next address of the key tree. */
export async function newAddress(
  deps: Deps,
  c: Queryable,
  of: { merchantId: string; kind: Asset['kind']; purpose: 'lease' | 'fixed'; now: number },
): Promise<string> {
  const index = await takeIndex(c, of.kind)
  const address = deps.addressAt(of.kind, index)
  await insertAddress(c, {
    chain_kind: of.kind,
    address,
    key_index: index,
    merchant_id: of.merchantId,
    purpose: of.purpose,
    created_at: of.now,
  })
  return address
}
