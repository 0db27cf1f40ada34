import { computeValueInUsdt, parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { type ChainAsset, isWatched, readChainAssets } from '../chains/assets.ts'
import { readPayoutStop } from '../chains/store.ts'
import { IsolatedRunner } from '../outgoing/alone.ts'
import { reportRefusedMove } from '../outgoing/issuer-stops.ts'
import { readDuePayouts } from '../outgoing/pay-due.ts'
import { estimateTransferLimit, type PayableChain } from '../outgoing/sender.ts'
import { minSweepValueToCostRatio, readPrices } from './choose.ts'
import { openSweepPass, readHotFunds } from './pass.ts'

/**
 * What a hot wallet has, needs and pays, in base units of one asset; `cost` is the fee in native coin, which `isNative`
 * pays itself. `queued` of native coin includes the fees of queued payouts.
 */
export interface HotWalletFloat {
  left: bigint
  queued: bigint
  float: bigint
  cost: bigint
  isNative: boolean
}

/**
 * Returns what may leave a hot wallet for the treasury: what it has above its float and above what queued payouts take,
 * without the fee.
 */
export function computeAmountAboveFloat({ left, queued, float, cost, isNative }: HotWalletFloat): bigint {
  // guard: float-stays
  const stays = queued > float ? queued : float
  const above = left - stays - (isNative ? cost : 0n)
  return above > 0n ? above : 0n
}

/**
 * Sends to the treasury what the hot wallet has above its float, or above what queued payouts take if that is more,
 * once it is worth 20 times the fee. Does nothing without a treasury, and when nothing may be swept. Such a transaction
 * moves money between our own wallets: only its fee is posted.
 */
export async function sendAboveFloatToTreasury(deps: Deps, chain: PayableChain, owners: OutgoingOwners): Promise<void> {
  const pass = await openSweepPass(deps, chain, owners)
  if (!pass?.treasury) return
  const { id, native } = chain.definition
  const { hot, treasury } = pass
  const due = await readDuePayouts(deps, owners, id)
  const alone = new IsolatedRunner(deps, chain)
  const move = async (asset: ChainAsset) => {
    const { contract: token, price_of, decimals } = asset
    const float = treasury.float[token ?? 'native']
    if (float === undefined || !isWatched(asset) || (await readPayoutStop(deps.pool, id, asset.id))) return
    const { funds, nonces } = await readHotFunds(pass)
    const fee = token === null ? await funds.costOf(await pass.sending.ampleLimit()) : 0n
    const queued = due.reduce((sum, each) => sum + fee + (each.asset_id === asset.id ? each.amount : 0n), 0n)
    const has = { left: await funds.left(token), queued, float: parseBaseUnits(float), isNative: token === null }
    const above = computeAmountAboveFloat({ ...has, cost: 0n })
    if (above === 0n) return
    const way = { from: hot.address, token, to: treasury.address }
    const gas = await estimateTransferLimit(pass.sending, { ...way, amount: above })
    if (gas === null) return reportRefusedMove(deps, chain, way)
    const cost = await funds.costOf(gas)
    const amount = computeAmountAboveFloat({ ...has, cost })
    const prices = await readPrices(deps, [toPriceSymbol(native.symbol), price_of])
    const least = prices && computeValueInUsdt(cost, native.decimals, prices[0]!) * minSweepValueToCostRatio
    if (amount === 0n || (least !== null && computeValueInUsdt(amount, decimals, prices![1]!) <= least)) return
    const intent = { kind: 'sweep', token, to: null, index: null, amount: String(amount) } as const
    if ((await nonces.allows(intent, gas)) && (await funds.take(token, amount, cost)))
      await nonces.take(owners, { intent, gas, items: [] })
  }
  for (const asset of (await readChainAssets(deps.pool, id)).values())
    await alone.run(`float of ${asset.id}`, () => move(asset))
  alone.end()
}
