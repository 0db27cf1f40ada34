import { paymentMode } from '@coffer/contract'
import { rowsOf } from '../money.ts'
import type { Arrival } from './sim-chain.ts'
import { tooLarge } from './steps-chain.ts'
import { type Place, skewMax, type World } from './world.ts'

/** Returns the incoming transfers of accepted assets on the canonical chain. */
export function takenArrivals(
  world: World,
  place: Place,
  ours: Set<string>,
  upTo?: number,
): (Arrival & { asset: string })[] {
  const assets = new Map(world.assets(place).map(each => [each.contract, each.id]))
  return place.chain
    .arrivals(address => ours.has(address), upTo)
    .flatMap(each =>
      assets.has(each.token) && each.amount < tooLarge ? [{ ...each, asset: assets.get(each.token)! }] : [],
    )
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the table payments
type Row = any

/**
 * Reports whether the canonical chain contains sufficient funds in the payment's asset before its expiry, in blocks the
 * server has read or not. False while the server is on an orphaned branch, because it cannot see the canonical blocks.
 */
export async function enoughInTime(world: World, payment: Row): Promise<boolean> {
  if (!payment.asset_id || payment.payment_mode !== paymentMode.contract) return false
  const place = world.place(payment.chain_id)
  const [chain] = await rowsOf(world.owner, 'select last_number, last_hash from chains where id = $1', [
    payment.chain_id,
  ])
  const end = place.chain.blocks.findLastIndex(block => block.time <= payment.expire_at)
  // Unread blocks count: the server must read them before it expires the payment.
  const isCanonical = chain.last_number === null || place.chain.blocks[chain.last_number]?.hash === chain.last_hash
  if (!isCanonical) return false
  const leases = await rowsOf(
    world.owner,
    `select l.trade_no, l.since, p.asset_id, p.amount from address_leases l join payments p on p.trade_no = l.trade_no
     where l.address = $1 order by l.since`,
    [payment.address],
  )
  const arrivals = takenArrivals(world, place, new Set([payment.address]), end)
  const requested = BigInt(payment.amount)
  // A slow clock dates a lease before blocks that were mined and read before the lease began.
  const isIts = ({ time, asset, amount }: { time: number; asset: string; amount: bigint }) => {
    const lease = leases.findLast(each => each.since <= time)
    if (lease?.trade_no !== payment.trade_no || lease.since + skewMax + 10 >= time) return false
    const fits = (each: Row) => each.asset_id === asset && each.amount === String(amount)
    return fits(lease) || !leases.some(each => each.since < lease.since && fits(each))
  }
  const came = arrivals
    .filter(each => each.asset === payment.asset_id && isIts(each))
    .reduce((sum, each) => sum + each.amount, 0n)
  return came > 0n && came >= requested - (requested * BigInt(payment.tolerance_permille)) / 1000n
}
