import { paymentMode } from '@coffer/contract'
import { askedAmount } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { leaseAddress, reserveAmount } from '../addresses/assign-address.ts'
import { type Asset, enabledAsset } from '../chains/assets.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { PaymentChange, saveChanges } from './payment-changes.ts'
import { leaveChain, lockPayments } from './store.ts'

/** Maximum choices per payment and hour. Each choice is stored permanently, and anyone with the link can choose. */
const choicesMost = 100

/**
 * Sets the chain and token the payer chose, computes the exact amount from the locked rate and leases an address. The
 * choice can be changed until a deposit is seen. Choosing the same asset again has no effect.
 */
export async function chooseAsset(
  deps: Deps,
  { tradeNo, assetId }: { tradeNo: string; assetId: string },
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const [row] = await lockPayments(c, [tradeNo])
    if (!row) throw new Refusal('transaction_not_exist')
    if (row.asset_id === assetId) return
    const asset = await enabledAsset(c, assetId)
    if (!asset || (row.fixed_asset_id && row.fixed_asset_id !== assetId)) throw new Refusal('currency_not_supported')
    await lockActiveMerchant(c, row.merchant_id, { approved: true, gone: 'transaction_not_exist' })
    const now = deps.clock()
    await throttle({ pool: c, clock: deps.clock }, `choose ${tradeNo}`, { max: choicesMost, seconds: 3_600 })
    const change = new PaymentChange(row)
    await giveAsset(deps, c, change, asset, now)
    await saveChanges(deps, uow, [change], now)
  })
}

/** Assigns an asset, a receiving address and the exact amount to a locked payment. */
export async function giveAsset(
  deps: Deps,
  c: Queryable,
  change: PaymentChange,
  asset: Asset,
  now: number,
): Promise<void> {
  const { row } = change
  if (asset.halted || !asset.started) throw new Refusal('chain_unavailable')
  // guard: locked-rate
  const rate = row.token_rates[asset.symbol]
  if (!rate) throw new Refusal('price_unavailable')
  const value = askedAmount(BigInt(row.usdt_amount), asset.decimals, rate.price)
  const assign = row.payment_mode === paymentMode.address ? reserveAmount : leaseAddress
  const { address, asked } = await assign(deps, c, row, asset, value, now)
  change.meet({ type: 'asset_chosen', asked }, now)
  if (row.chain_id !== null && row.chain_id !== asset.chain_id)
    await leaveChain(c, row.merchant_id, row.trade_no, row.chain_id)
  const { id: asset_id, chain_id, symbol: token, decimals, definition } = asset
  change.beside = { asset_id, chain_id, address, token, decimals, definition }
}
