import { parseDecimal, paymentMode } from '@coffer/contract'
import { computeRequestedAmount } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { leaseAddress, reserveAmount } from '../addresses/assign-address.ts'
import { type Asset, readEnabledAsset } from '../chains/assets.ts'
import { toClosedChainRefusal } from '../chains/chain-closed.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { PaymentChange, savePaymentChanges } from './payment-changes.ts'
import { lockPayments, recordAbandonedChain } from './store.ts'

const offered = { en: 'asset_id: one of the choices of the checkout', 'zh-CN': 'asset_id：收银台 choices 之一' }

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
    if (!row) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    if (row.asset_id === assetId) return
    const asset = await readEnabledAsset(c, assetId)
    if (!asset || (row.fixed_asset_id && row.fixed_asset_id !== assetId))
      throw new Refusal('currency_not_supported', { field: 'asset_id', detail: offered })
    await lockActiveMerchant(c, row.merchant_id, { approved: true, missing: 'transaction_not_exist' })
    const now = deps.clock()
    await throttle({ pool: c, clock: deps.clock }, `choose ${tradeNo}`, { max: choicesMost, seconds: 3_600 })
    const change = new PaymentChange(row)
    await assignAsset(deps, c, change, asset, now)
    await savePaymentChanges(deps, uow, [change], now)
  })
}

/**
 * Returns the amount of an asset to request for a payment, in base units: the amount of the order if it is priced in
 * this token, otherwise its USDT value at `price`.
 */
export function computeAmountInAsset(
  payment: { usdt_amount: bigint; fiat_name: string; fiat_amount: string },
  { symbol, decimals }: Pick<Asset, 'symbol' | 'decimals'>,
  price: string,
): bigint {
  const exact = payment.fiat_name === symbol ? parseDecimal(payment.fiat_amount, decimals) : null
  return exact ?? computeRequestedAmount(payment.usdt_amount, decimals, price)
}

/** Assigns an asset, a receiving address and the exact amount to a locked payment. */
export async function assignAsset(
  deps: Deps,
  c: Queryable,
  change: PaymentChange,
  asset: Asset,
  now: number,
): Promise<void> {
  const { row } = change
  const closed = toClosedChainRefusal(asset)
  if (closed) throw closed
  // guard: locked-rate
  const rate = row.token_rates[asset.symbol]
  if (!rate) throw new Refusal('price_unavailable')
  const value = computeAmountInAsset(row, asset, rate.price)
  const assign = row.payment_mode === paymentMode.address ? reserveAmount : leaseAddress
  const { address, key_index, requested } = await assign(deps, c, row, asset, value, now)
  change.apply({ type: 'asset_chosen', requested, decimals: asset.decimals }, now)
  if (row.chain_id !== null && row.chain_id !== asset.chain_id)
    await recordAbandonedChain(c, row.merchant_id, row.trade_no, row.chain_id)
  const { id: asset_id, chain_id, symbol: token, decimals, definition } = asset
  change.beside = { asset_id, chain_id, address, key_index, token, decimals, definition }
}
