import assert from 'node:assert/strict'
import type { Random } from '@coffer/chains/fake/random.ts'
import { isPayableStatus, paymentMode, paymentStatus } from '@coffer/contract'
import { addressCoolDownSeconds } from '../../domains/addresses/store.ts'
import { rowsOf } from '../money.ts'
import { healthy } from './sim-node.ts'
import { oneOf, rotated, type Steps } from './steps.ts'
import { sentOf } from './steps-chain.ts'
import { createLeased, expire } from './steps-payments.ts'
import { giveUpLost, resumeHalted } from './steps-server.ts'
import { type Place, skewMax, type World } from './world.ts'

/** Makes all blocks final and lets some time pass. */
async function pass(world: World, seconds: number): Promise<void> {
  // Internal transactions are only searched for at addresses in use, so they must be found before.
  world.heal()
  for (let round = 0; round < 2; round++) {
    for (const place of world.places) {
      for (let i = 0; i <= place.definition.confirmations; i++) world.mine(place, [], true)
      await world.server.follow(place.definition.id)
    }
    await resumeHalted(world)
    await giveUpLost(world)
  }
  for (const { definition } of world.places) await world.server.findCoin(definition.id)
  world.time += seconds
  for (const place of world.places) world.mine(place)
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the table payments
type Row = any

/**
 * Picks an open payment of a kind whose end is ahead, with its chain, or creates one at `place`. Null if it is refused,
 * or its chain is beyond the end.
 */
async function ending(
  world: World,
  dice: Random,
  { isIt, place, token }: { isIt?: (payment: Row, place: Place) => boolean; place?: Place; token?: string },
) {
  const waiting = async () =>
    (await world.payments()).filter(
      each =>
        isPayableStatus(each.status) &&
        each.asset_id !== null &&
        each.expire_at > world.time + 30 &&
        (!isIt || isIt(each, world.place(each.chain_id))),
    )
  if (place && (await waiting()).length === 0) await createLeased(world, dice, place, token)
  const payments = await waiting()
  if (payments.length === 0) return null
  const payment = oneOf(dice, payments)
  const chosen = world.place(payment.chain_id)
  return chosen.chain.head.time < payment.expire_at - 20 ? { payment, place: chosen } : null
}

const isNative = (payment: Row, place: Place) =>
  payment.payment_mode === paymentMode.contract && payment.asset_id === nativeOf(place)
const nativeOf = ({ definition: { id, native } }: Place) => `${id}:${native.symbol}`

/**
 * Pays in the last block before expiry, which is not yet final when the next block is read. With `isCut`, where most
 * nodes have to agree on what a block holds, and one node, mostly the one that is queried first, leaves the payment
 * out.
 */
async function payAtLast(world: World, dice: Random, isCut = false): Promise<void> {
  const rootless = world.places.find(each => !each.definition.roots)
  if (isCut && !rootless) return
  const isIt = (payment: Row, at: Place) =>
    at === rootless && payment.payment_mode === paymentMode.contract && !isNative(payment, at)
  const found = await ending(world, dice, isCut ? { isIt, place: rootless! } : {})
  if (!found) return
  const { payment, place } = found
  const { asset_id, address, amount, expire_at } = payment
  const { contract: token } = world.assets(place).find(each => each.id === asset_id)!
  const to = address.toLowerCase()
  const units = BigInt(amount)
  world.time = expire_at - 13
  world.mine(place, [
    token === null
      ? { kind: 'coin', to, amount: units }
      : { kind: 'tokens', transfers: sentOf(world, { token, to, amount: units }) },
  ])
  world.time = expire_at + 100
  world.mine(place)
  if (isCut) {
    world.heal()
    rotated(dice, place.nodes)[0]!.faults = { ...healthy, lie: 'cut' }
  }
  await world.server.follow(place.definition.id).finally(() => isCut && world.heal())
  await expire(world)
}

/** Pays coin from within a call in the last block before expiry, which only a comparison of balances finds. */
async function payInsideAtLast(world: World, dice: Random): Promise<void> {
  world.heal()
  const chosen = oneOf(dice, world.places)
  const found = await ending(world, dice, { isIt: isNative, place: chosen, token: chosen.definition.native.symbol })
  if (!found) return
  const { payment, place } = found
  const { trade_no, expire_at, amount } = payment
  const { chain, definition } = place
  const to = payment.address.toLowerCase()
  if (chain.coinOf(to) > 0n || chain.isCoinWaiting(to)) return
  world.time = expire_at - 13
  world.mine(place, [{ kind: 'inside', to, amount: BigInt(amount) }])
  world.time = expire_at + 100
  for (let i = 0; i < definition.confirmations; i++) world.mine(place)
  await world.server.follow(definition.id)
  await expire(world)
  const [row] = await rowsOf(world.owner, 'select status from payments where trade_no = $1', [trade_no])
  assert(row.status !== paymentStatus.timed_out, 'a payment timed out before its coin was looked for')
}

/** Pays exactly what the former payment of a leased-again address asks for. */
async function payFormer(world: World, dice: Random): Promise<void> {
  const former = await rowsOf(
    world.owner,
    `select distinct on (l.address) l.address, l.trade_no, p.asset_id, p.amount, p.chain_id
     from address_leases l join payments p on p.trade_no = l.trade_no and p.asset_id is not null
     join address_leases n on n.address = l.address and n.since > l.since
     join payments q on q.trade_no = n.trade_no
     where not exists (select from deposits d where d.trade_no = l.trade_no)
       and not exists (select from address_leases x join payments y on y.trade_no = x.trade_no
         where x.address = l.address and x.since > l.since and y.asset_id = p.asset_id and y.amount = p.amount)
     order by l.address, l.since desc`,
  )
  if (former.length === 0) return
  const { address, trade_no, asset_id, amount, chain_id } = oneOf(dice, former)
  world.heal()
  const place = world.place(chain_id)
  const { contract: token } = world.assets(place).find(each => each.id === asset_id)!
  const units = BigInt(amount)
  world.mine(place, [
    token === null
      ? { kind: 'coin', to: address, amount: units }
      : { kind: 'tokens', transfers: sentOf(world, { token, to: address, amount: units }) },
  ])
  const isIt = world
    .place(chain_id)
    .chain.head.txs.filter(tx =>
      tx.kind === 'tokens'
        ? tx.transfers.at(-1)!.to === address && tx.transfers.at(-1)!.amount === units
        : tx.to === address,
    )
  await world.server.follow(chain_id)
  const deposits = await rowsOf(world.owner, 'select trade_no from deposits where txid = any($1) and to_address = $2', [
    isIt.map(tx => tx.txid),
    address,
  ])
  if (deposits.length === 1)
    assert.equal(deposits[0].trade_no, trade_no, 'money that fits the former payment is its own')
}

export const timeSteps: Steps = {
  'paid at the last moment': [2, (world, dice) => payAtLast(world, dice)],
  'left out at the last moment': [2, (world, dice) => payAtLast(world, dice, true)],
  'paid from within a call at the last moment': [2, payInsideAtLast],
  'weeks pass while leases are open': [1, (world, dice) => pass(world, (8 + dice.below(30)) * 86_400)],
  'a quarter passes': [
    1,
    async (world, dice) => {
      await createLeased(world, dice)
      await pass(world, addressCoolDownSeconds + 2_000)
      for (const place of world.places) {
        world.mine(place)
        await world.server.follow(place.definition.id)
        await world.server.findCoin(place.definition.id)
      }
      await expire(world)
      // Addresses are leased again, and the payers of their former payments pay.
      for (let i = dice.below(3); i >= 0; i--) {
        await createLeased(world, dice)
        await payFormer(world, dice)
      }
    },
  ],
  wait: [
    4,
    async (world, dice) => {
      world.time += oneOf(dice, [5, 60, 200, 600, 1900])
      world.passMs(5_000)
    },
  ],
  'clock is set': [
    2,
    async (world, dice) => {
      // What members let leave is counted by the times of requests.
      if (world.people.length > 0) return
      world.skew = oneOf(dice, [0, 0, 20, -20, 90, skewMax, -skewMax])
    },
  ],
}
