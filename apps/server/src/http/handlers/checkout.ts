import { chooseAsset } from '../../commands/choose-asset.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { enabledAssets } from '../../store/assets.ts'
import { readCheckout } from '../../store/checkout-read.ts'
import { readDeposits } from '../../store/deposit-view.ts'
import { streamCheckout } from '../checkout-stream.ts'
import { defineHandlers } from '../context.ts'
import { type Checkout, checkout } from '../presenters/checkout.ts'

/** The payer: whoever has the link sees the payment, and may choose what to pay in until money was seen. */
export const checkoutHandlers = defineHandlers({
  'GET /api/v1/checkout/:trade_no': ({ deps, params: { trade_no } }) => view(deps, trade_no),

  'POST /api/v1/checkout/:trade_no/choose': async ({ deps, params: { trade_no }, body: { asset_id } }) => {
    await chooseAsset(deps, { tradeNo: trade_no, assetId: asset_id })
    return view(deps, trade_no)
  },

  'GET /api/v1/checkout/:trade_no/events': ({ params: { trade_no }, ...context }) =>
    streamCheckout(context, trade_no, () => view(context.deps, trade_no)),
})

async function view(deps: Deps, tradeNo: string): Promise<Checkout> {
  const row = await readCheckout(deps.pool, tradeNo)
  if (!row) throw new Refusal('transaction_not_exist')
  const [deposits, assets] = await Promise.all([
    readDeposits(deps.pool, [{ merchant_id: row.merchant_id, trade_no: tradeNo }]),
    enabledAssets(deps.pool),
  ])
  return checkout(row, deposits.get(tradeNo) ?? [], assets, deps.clock())
}
