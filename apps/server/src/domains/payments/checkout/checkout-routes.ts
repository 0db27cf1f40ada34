import type { Deps } from '../../../deps.ts'
import { defineHandlers } from '../../../http/context.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { listEnabledAssets } from '../../chains/assets.ts'
import { chooseAsset } from '../choose-asset.ts'
import { readDeposits } from '../to-deposit-view.ts'
import { readCheckout } from './checkout-read.ts'
import { streamCheckout } from './checkout-stream.ts'
import { type Checkout, presentCheckout } from './present-checkout.ts'

/**
 * Checkout endpoints. The link grants access: its holder sees the payment and may choose the asset until a deposit is
 * seen.
 */
export const checkoutHandlers = defineHandlers({
  'GET /api/v1/checkout/:trade_no': ({ deps, params: { trade_no } }) => viewCheckout(deps, trade_no),

  'POST /api/v1/checkout/:trade_no/choose': async ({ deps, params: { trade_no }, body: { asset_id } }) => {
    await chooseAsset(deps, { tradeNo: trade_no, assetId: asset_id })
    return viewCheckout(deps, trade_no)
  },

  'GET /api/v1/checkout/:trade_no/events': ({ params: { trade_no }, ...context }) =>
    streamCheckout(context, trade_no, () => viewCheckout(context.deps, trade_no)),
})

/** Reads a payment as its payer sees it. */
export async function viewCheckout(deps: Deps, tradeNo: string): Promise<Checkout> {
  const row = await readCheckout(deps.pool, tradeNo)
  if (!row) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  const [deposits, assets] = await Promise.all([
    readDeposits(deps.pool, [{ merchant_id: row.merchant_id, trade_no: tradeNo }]),
    listEnabledAssets(deps.pool),
  ])
  return presentCheckout(row, deposits.get(tradeNo) ?? [], assets, {
    now: deps.clock(),
    sandbox: deps.config.mode === 'sandbox',
  })
}
