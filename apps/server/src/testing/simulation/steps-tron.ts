import { insertRequest } from '../../domains/sweeps/store.ts'
import { newId } from '../../kit/ids.ts'
import { healthy } from './sim-node.ts'
import { oneOf, rotated, type Steps } from './steps.ts'
import { goOn, withdrawAtOnce } from './steps-out.ts'
import { type Place, skewMax, type World } from './world.ts'

const tronOf = (world: World) => world.places.find(each => each.definition.kind === 'tron')!

/** Mines until what was mined before is final, some time later. */
function later(world: World, place: Place, seconds: number): void {
  world.time += seconds
  for (let i = 0; i <= place.definition.confirmations; i++) world.mine(place)
}

/** Steps of seeds that have TRON. */
export const tronSteps: Steps = {
  'withdraw a little on TRON': [
    10,
    async (world, dice) => {
      await world.publishPrices()
      const place = tronOf(world)
      const chainId = place.definition.id
      const { id: assetId, contract } = oneOf(dice, world.assets(place))
      const amount = String(oneOf(dice, [4, 6, 9]) * (contract === null ? 4 : 1))
      const merchantId = oneOf(dice, [world.merchantId, world.otherId])
      await withdrawAtOnce(world, dice, 1 + dice.below(2), { merchantId, assetId, chainId, amount })
      if (dice.chance(0.5)) await world.server.send(chainId)
    },
  ],
  'sweep on TRON': [
    5,
    async (world, dice) => {
      const place = tronOf(world)
      const { id } = place.definition
      await insertRequest(world.server.deps.pool, newId(), id, null, world.clock())
      await world.server.sweep(id)
      for (let i = dice.below(5); i > 0; i--) {
        await goOn(world, place)
        await world.server.sweep(id)
      }
    },
  ],
  'nodes hide a payout until it has expired': [
    4,
    async (world, dice) => {
      world.heal()
      const place = tronOf(world)
      const { id } = place.definition
      await world.server.send(id)
      world.mine(place, [], dice.chance(0.7))
      later(world, place, 300)
      await world.server.follow(id)
      const [first, second, last] = rotated(dice, place.nodes)
      first!.faults = { ...healthy, aboutOurs: 'none' }
      // One that is the only one to answer, or two that one contradicts.
      const isAlone = dice.chance(0.6)
      second!.faults = isAlone ? { ...healthy, broken: 1 } : { ...healthy, aboutOurs: 'none' }
      if (isAlone) last!.faults = { ...healthy, broken: 1 }
      try {
        for (let i = 0; i < 2; i++) {
          await world.server.send(id)
          // After a minute, nodes that fail no longer count.
          world.passMs(61_000)
        }
      } finally {
        world.heal()
      }
      world.mine(place, [], true)
    },
  ],
  "a node's HTTP API lies about payouts": [
    4,
    async (world, dice) => {
      world.heal()
      const place = tronOf(world)
      const { id } = place.definition
      await world.server.send(id)
      later(world, place, 0)
      await world.server.follow(id)
      rotated(dice, place.nodes)[0]!.faults = { ...healthy, aboutOurs: oneOf(dice, ['fee', 'failed'] as const) }
      await world.server.send(id).finally(() => world.heal())
    },
  ],
  'clocks run ahead while a payout is under way': [
    3,
    async (world, dice) => {
      const place = tronOf(world)
      const { id } = place.definition
      await world.server.send(id)
      const before = world.skew
      world.skew = Math.min(skewMax, before + oneOf(dice, [130, 300, 600]))
      await world.server.send(id).finally(() => {
        world.skew = before
      })
      world.mine(place, [], dice.chance(0.7))
    },
  ],
}
