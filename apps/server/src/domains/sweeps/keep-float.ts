import { unitsOf, usdtValue } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { currencyPrice } from '../../kit/price-symbol.ts'
import type { Owners } from '../../owner.ts'
import { assetsOfChain, type ChainAsset, isWatched } from '../chains/assets.ts'
import { readStop } from '../chains/store.ts'
import { Alone } from '../outgoing/alone.ts'
import { reportRefusedMove } from '../outgoing/issuer-stops.ts'
import { readDue } from '../outgoing/pay-due.ts'
import { limitOrRefused, type Sender } from '../outgoing/sender.ts'
import { readPrices, worthTimes } from './choose.ts'
import { openPass, readHotFunds } from './pass.ts'

/**
 * What a hot wallet has, needs and pays, in base units of one asset; `cost` is the fee in native coin, which `isNative`
 * pays itself. `queued` of native coin includes the fees of queued payouts.
 */
export interface Float {
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
export function aboveFloat({ left, queued, float, cost, isNative }: Float): bigint {
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
export async function keepFloat(deps: Deps, chain: Sender, owners: Owners): Promise<void> {
  const pass = await openPass(deps, chain, owners)
  if (!pass?.treasury) return
  const { id, native } = chain.definition
  const { hot, treasury } = pass
  const due = await readDue(deps, owners, id)
  const alone = new Alone(deps, chain)
  const move = async (asset: ChainAsset) => {
    const { contract: token, price_of, decimals } = asset
    const float = treasury.float[token ?? 'native']
    if (float === undefined || !isWatched(asset) || (await readStop(deps.pool, id, asset.id))) return
    const { funds, nonces } = await readHotFunds(pass)
    const fee = token === null ? await funds.costOf(await pass.sending.ampleLimit()) : 0n
    const queued = due.reduce((sum, each) => sum + fee + (each.asset_id === asset.id ? each.amount : 0n), 0n)
    const has = { left: await funds.left(token), queued, float: unitsOf(float), isNative: token === null }
    const above = aboveFloat({ ...has, cost: 0n })
    if (above === 0n) return
    const way = { from: hot.address, token, to: treasury.address }
    const gas = await limitOrRefused(pass.sending, { ...way, amount: above })
    if (gas === null) return reportRefusedMove(deps, chain, way)
    const cost = await funds.costOf(gas)
    const amount = aboveFloat({ ...has, cost })
    const prices = await readPrices(deps, [currencyPrice(native.symbol), price_of])
    const least = prices && usdtValue(cost, native.decimals, prices[0]!) * worthTimes
    if (amount === 0n || (least !== null && usdtValue(amount, decimals, prices![1]!) <= least)) return
    const intent = { kind: 'sweep', token, to: null, index: null, amount: String(amount) } as const
    if ((await nonces.allows(intent, gas)) && (await funds.take(token, amount, cost)))
      await nonces.take(owners, { intent, gas, items: [] })
  }
  for (const asset of (await assetsOfChain(deps.pool, id)).values())
    await alone.run(`float of ${asset.id}`, () => move(asset))
  alone.end()
}
