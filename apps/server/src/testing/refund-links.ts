import { claimRefund, quoteRefundClaim, readRefundClaim } from '../domains/refunds/claim-refund.ts'
import { deriveRefundLinkTokens } from '../domains/refunds/link-store.ts'
import { makeRefundLink } from '../domains/refunds/make-link.ts'
import { visitor as from } from './merchants.ts'
import { rowsOf } from './money.ts'
import { outside, withdrawalWorld } from './withdrawals.ts'

/** Where a payer wants a refund. */
export const claimed = { assetId: 'eth:USDT', address: outside }
const language = 'en' as const

/** A paid payment of 100 USDT, and a link to its refund at the payer's cost. */
export async function linkWorld(scope: Parameters<typeof withdrawalWorld>[0]) {
  const world = await withdrawalWorld(scope)
  const { deps, merchant, owner } = world
  deps.config = { ...deps.config, refundDelay: 3_600 }
  const { trade_no } = await world.pay({ amount: '100' }).then(async order => {
    await world.eth.add([{ to: order.address, amount: 100_000_000n }])
    await world.eth.confirm()
    return order
  })
  deps.pass(1800)
  const make = async (more: Partial<Parameters<typeof makeRefundLink>[1]> = {}) =>
    makeRefundLink(deps, {
      merchantId: merchant.id,
      tradeNo: trade_no,
      kind: 'all',
      basis: 'token',
      gasPayer: 'payer',
      reason: 'returned',
      proof: await world.proof(more.merchantId),
      from,
      ...more,
    })
  const tokenOf = (id: string) => deriveRefundLinkTokens(deps, id)[0]!
  const show = (token: string) => readRefundClaim(deps, token, from)
  return {
    ...world,
    trade_no,
    make,
    tokenOf,
    show,
    claim: async (token: string, more: Partial<Parameters<typeof claimRefund>[1]> = {}) => {
      const { receives } = await quoteRefundClaim(deps, { ...claimed, token, from, language })
      await claimRefund(deps, { ...claimed, token, receives, from, ...more })
    },
    state: async () => (await world.payment(trade_no)).state,
    counted: async () => BigInt((await rowsOf(owner, 'select refunded from payment_refunds'))[0]?.refunded ?? 0),
    refunds: () => rowsOf(owner, 'select * from refunds order by created_at'),
  }
}
