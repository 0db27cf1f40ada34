import assert from 'node:assert/strict'
import type { Random } from '@coffer/chains/fake/random.ts'
import { lyingAnywhere } from '@coffer/chains/testing/lie-seeds.ts'
import { lies } from '@coffer/chains/testing/lies.ts'
import { paymentMode } from '@coffer/contract'
import { createApplicationAddress, type FixedAddress } from '../../domains/addresses/assign-address.ts'
import { rowsOf } from '../money.ts'
import { healthy } from './sim-node.ts'
import { type Deed, nobody, senderAt, type TokenTransfer } from './sim-tx.ts'
import { oneOf, rotated, type Steps } from './steps.ts'
import type { Place, World } from './world.ts'

/** Contract of a counterfeit USDT. */
const foreign = '0x00000000000000000000000000000000f0f0f0f0'
/** More units than a deposit can have. */
export const tooLarge = 10n ** 70n
const shares = [100, 100, 100, 100, 40, 60, 97, 130, 1]

export const payable = async (world: World) =>
  (await world.payments()).filter(each => each.address !== null && each.asset_id !== null).slice(-8)

/** Pays several payments in one transaction: exact, partial or excess amounts, in the requested token or another. */
export async function someDeed(world: World, place: Place, dice: Random): Promise<Deed | null> {
  const payments = await payable(world)
  if (payments.length === 0) return null
  const assets = world.assets(place)
  const payment = oneOf(dice, payments)
  const reverted = dice.chance(0.1)
  const to = payment.address.toLowerCase()
  const requested = assets.find(each => each.id === payment.asset_id)
  if (requested?.contract === null && dice.chance(0.85)) {
    const amount = (BigInt(payment.amount) * BigInt(oneOf(dice, shares))) / 100n
    if (amount === 0n) return null
    // Internal transactions are not searched for after that.
    const isNew = payment.payment_mode === paymentMode.contract && payment.expire_at > world.clock() - 3 * 86_400
    const kind = isNew && dice.chance(0.3) ? 'inside' : 'coin'
    return { kind, to, amount, reverted }
  }
  const transfers = Array.from({ length: 1 + dice.below(3) }, (_, index): TokenTransfer => {
    const each = index === 0 ? payment : oneOf(dice, payments)
    const fits = assets.find(asset => asset.id === each.asset_id && asset.contract !== null)
    const asset = dice.chance(0.8) && fits ? fits : assets[dice.below(assets.length - 1)]!
    const units =
      fits === asset ? BigInt(each.amount) : (BigInt(each.usdt_amount) * 10n ** BigInt(asset.decimals)) / 1_000_000n
    const amount = (units * BigInt(oneOf(dice, shares))) / 100n + (dice.chance(0.1) ? 1n : 0n)
    const fee = dice.chance(0.15) ? amount / 50n : 0n
    const to = each.address.toLowerCase()
    // More than any sum in the database can be.
    if (dice.chance(0.02)) return { token: asset.contract!, to, amount: tooLarge }
    return { token: dice.chance(0.08) ? foreign : asset.contract!, to, amount, fee }
  })
  return { kind: 'tokens', transfers: transfers.flatMap(each => sentOf(world, each)), reverted }
}

/**
 * What sends a transfer. A sibling of a token comes from an address of its own, which gets nothing else: it may be
 * given back.
 */
export function sentOf(world: World, transfer: TokenTransfer): TokenTransfer[] {
  const { token, to, amount } = transfer
  const asset = world.places.flatMap(each => world.assets(each)).find(each => each.contract === token)
  if (!asset || asset.of === asset.symbol) return [transfer]
  const number = ++world.senders
  // One in eight was issued straight to the receiver.
  if (number % 8 === 0) return [{ token, from: nobody, to, amount }]
  const from = senderAt(number)
  return [
    { token, to: from, amount },
    { token, from, to, amount },
  ]
}

/** Picks a chain, preferring those with open payments. */
export async function somePlace(world: World, dice: Random): Promise<Place> {
  const payments = await payable(world)
  if (payments.length === 0 || dice.chance(0.25)) return oneOf(dice, world.places)
  return world.place(oneOf(dice, payments).chain_id)
}

export async function pay(world: World, dice: Random): Promise<void> {
  const place = await somePlace(world, dice)
  const deeds: Deed[] = []
  for (let i = dice.below(3); i >= 0; i--) {
    const deed = await someDeed(world, place, dice)
    if (deed) deeds.push(deed)
  }
  world.mine(place, deeds)
}

/** Returns the server's finalized height. */
export async function finalOf({ owner }: World, id: string): Promise<number> {
  return (await rowsOf(owner, 'select final_number from chains where id = $1', [id]))[0]!.final_number
}

/** Reorganizes some of the last blocks, but none that can have reached confirmation depth. */
export function shallow(world: World, { chain, definition }: Place, dice: Random): void {
  const most = chain.head.number - Math.max(0, chain.peak - definition.confirmations + 1)
  if (most < 1) return
  const depth = 1 + dice.below(most)
  chain.reorg(depth, depth + dice.below(3), dice.chance(0.6) ? 0 : 0.5, world.time)
}

export const chainSteps: Steps = {
  pay: [12, pay],
  'pay exactly': [
    5,
    async (world, dice) => {
      const payments = await payable(world)
      if (payments.length === 0) return
      const { chain_id, asset_id, address, amount } = oneOf(dice, payments.slice(-3))
      const place = world.place(chain_id)
      const { contract } = world.assets(place).find(each => each.id === asset_id)!
      const to = address.toLowerCase()
      const units = BigInt(amount)
      const parts = dice.chance(0.3) ? [units / 3n, units - units / 3n] : [units]
      for (const part of parts)
        world.mine(place, [
          contract === null
            ? { kind: 'coin', to, amount: part }
            : { kind: 'tokens', transfers: sentOf(world, { token: contract, to, amount: part }) },
        ])
    },
  ],
  'a customer pays': [
    4,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      const { merchantId } = world
      const appid = oneOf(dice, world.appids)
      const requested = { merchantId, appid, reference: `customer-${dice.below(4)}`, chainId: place.definition.id }
      // Also by two requests at once.
      const made = await Promise.allSettled([1, 2].map(() => createApplicationAddress(world.server.deps, requested)))
      for (const each of made) if (each.status === 'rejected') throw each.reason
      const [one, other] = made.map(each => (each as { value: FixedAddress }).value)
      assert.equal(one!.id, other!.id, 'a customer has one address')
      const to = one!.address.toLowerCase()
      const tokens = world.assets(place).filter(each => each.contract !== null)
      const transfers = Array.from({ length: 1 + dice.below(3) }, () => {
        const { contract, decimals } = oneOf(dice, tokens)
        const amount = BigInt(1 + dice.below(9)) * 10n ** BigInt(decimals - dice.below(3))
        return sentOf(world, { token: contract!, to, amount })
      }).flat()
      world.mine(place, [{ kind: 'tokens', transfers, reverted: dice.chance(0.1) }])
    },
  ],
  'a stranger sends dust': [
    4,
    async (world, dice) => {
      const payments = await payable(world)
      const place = world.places.find(each => each.definition.minimum)!
      if (payments.length === 0) return
      const assets = world.assets(place)
      const deeds = Array.from({ length: 1 + dice.below(4) }, (): Deed => {
        const { contract: token, minimum } = oneOf(dice, assets)
        const part = () => (dice.chance(0.5) ? 1n : 1n + (minimum * BigInt(dice.below(99))) / 100n)
        const to = oneOf(dice, payments.slice(-3)).address.toLowerCase()
        if (token === null) return { kind: 'coin', to, amount: part() }
        return {
          kind: 'tokens',
          transfers: Array.from({ length: 1 + dice.below(3) }, () =>
            sentOf(world, { token, to, amount: part() }),
          ).flat(),
        }
      })
      world.mine(place, deeds)
    },
  ],
  mine: [
    8,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      for (let i = dice.below(5); i >= 0; i--) world.mine(place)
    },
  ],
  reorg: [
    5,
    async (world, dice) => {
      shallow(world, await somePlace(world, dice), dice)
    },
  ],
  'deep reorg': [
    1,
    async (world, dice) => {
      if (!dice.chance(0.5)) return
      // What was set aside of final blocks is not taken back.
      const { chain, definition } = world.places.find(each => !each.definition.minimum)!
      const depth = definition.confirmations + 1 + dice.below(12)
      const final = await finalOf(world, definition.id)
      if (chain.head.number - depth < final) world.deep.add(definition.id)
      world.everDeep = true
      chain.reorg(depth, depth + dice.below(3), dice.chance(0.6) ? 0 : 0.5, world.time, final)
    },
  ],
  'nodes fail': [
    4,
    async (world, dice) => {
      if (dice.chance(0.4)) return world.heal()
      for (const node of oneOf(dice, world.places).nodes) {
        node.faults = {
          ...healthy,
          broken: oneOf(dice, [0, 0.1, 0.3, 1]),
          hang: oneOf(dice, [0, 0, 0.1]),
          refuses: oneOf(dice, [0, 0, 0.1]),
          forgets: oneOf(dice, [0, 0, 0.1]),
          lag: oneOf(dice, [0, 0, 1, 3]),
          pruned: dice.chance(0.2),
          limits: oneOf(dice, [0, 0, 0.1, 0.5]),
          slow: oneOf(dice, [0, 0, 5, 30]),
          broadcasts: oneOf(dice, ['honest', 'honest', 'refused', 'dropped']),
        }
      }
      // One node stays healthy, otherwise the chain could never be read.
      const { nodes } = oneOf(dice, world.places)
      oneOf(dice, nodes).faults = { ...healthy }
    },
  ],
  'nodes lie': [
    6,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      // About what a block holds, one honest node is enough, or with no roots most of them.
      const lie = oneOf(dice, lies)
      const most = place.definition.roots ? 2 : 1
      for (const node of rotated(dice, place.nodes).slice(0, 1 + dice.below(most))) node.faults = { ...healthy, lie }
      for (let i = dice.below(3); i >= 0; i--) await pay(world, dice)
      if (dice.chance(0.3)) for (let i = 0; i < place.definition.confirmations; i++) world.mine(place)
      await world.server.follow(place.definition.id).finally(() => world.heal())
    },
  ],
  'a node lies in every answer': [
    3,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      const { id, confirmations } = place.definition
      rotated(dice, place.nodes)[0]!.faults = { ...healthy, liar: lyingAnywhere(dice.hash()) }
      for (let i = dice.below(3); i >= 0; i--) await pay(world, dice)
      if (dice.chance(0.3)) for (let i = 0; i < confirmations; i++) world.mine(place)
      const { server } = world
      const jobs = [
        () => server.follow(id),
        () => server.send(id),
        () => server.sweep(id),
        () => server.findCoin(id),
        () => server.watchCoin(id),
      ]
      try {
        await server.follow(id)
        for (let i = dice.below(4); i >= 0; i--) await oneOf(dice, jobs)()
      } finally {
        world.heal()
      }
    },
  ],
  'a node hangs or answers for another chain': [
    3,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      const other = world.places.find(each => each !== place)!
      const node = rotated(dice, place.nodes)[0]!
      node.faults = { ...healthy, ...(dice.chance(0.5) ? { hang: 1 } : { foreign: other.chain }) }
      for (let i = dice.below(3); i >= 0; i--) await pay(world, dice)
      await world.server.follow(place.definition.id).finally(() => world.heal())
    },
  ],
  'a node tells wrong balances': [
    2,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      const more = oneOf(dice, [1n, 10n ** 16n, -(10n ** 16n)])
      // Where balances are proven, one honest node is enough; where they are not, nodes that refuse have no vote.
      const liars = place.definition.roots && dice.chance(0.5) ? 2 : 1
      const nodes = rotated(dice, place.nodes)
      for (const node of nodes.slice(0, liars)) node.faults = { ...healthy, more }
      if (liars === 1 && dice.chance(0.3)) nodes.at(-1)!.faults = { ...healthy, pruned: true }
      await world.server.findCoin(place.definition.id).finally(() => world.heal())
    },
  ],
  'a node is on a fork': [
    3,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      const { chain, definition } = place
      const deed = await someDeed(world, place, dice)
      const depth = dice.below(definition.confirmations + 3)
      const fork = chain.forked(depth, depth + definition.confirmations + 1 + dice.below(3), deed ? [deed] : [])
      const [first, ...others] = rotated(dice, place.nodes)
      first!.faults = { ...healthy, fork }
      // Half of the time the forked node is the only reachable one.
      const broken = dice.chance(0.5) ? 1 : 0
      for (const node of others) node.faults = { ...healthy, broken }
      try {
        await world.server.follow(definition.id)
        if (dice.chance(0.4)) shallow(world, place, dice)
        for (let i = 0; i < definition.confirmations; i++) world.mine(place)
        await world.server.follow(definition.id)
        await world.server.findCoin(definition.id)
      } finally {
        world.heal()
      }
    },
  ],
}
