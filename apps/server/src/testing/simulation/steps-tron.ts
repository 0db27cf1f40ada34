import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { readPayableAsset } from '../../domains/chains/assets.ts'
import { insertRequest } from '../../domains/sweeps/store.ts'
import { approveWithdrawal } from '../../domains/withdrawals/decide-withdrawal.ts'
import { quotePayout } from '../../domains/withdrawals/quote.ts'
import { newId } from '../../kit/ids.ts'
import { rowsOf } from '../money.ts'
import { atShell } from '../operators.ts'
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
      const { id: assetId, contract } = oneOf(dice, world.accepted(place))
      const amount = String(oneOf(dice, [4, 6, 9]) * (contract === null ? 4 : 1))
      const merchantId = oneOf(dice, [world.merchantId, world.otherId])
      await withdrawAtOnce(world, dice, 1 + dice.below(2), { merchantId, assetId, chainId, amount })
      if (dice.chance(0.5)) await world.server.send(chainId)
    },
  ],
  'an address pays a withdrawal on TRON': [
    8,
    async (world, dice) => {
      await world.publishPrices()
      const place = tronOf(world)
      const { id: chainId } = place.definition
      const held = await rowsOf(
        world.owner,
        `select d.merchant_id, d.asset_id, s.decimals, sum(d.amount)::text as amount from deposits d join assets s on s.id = d.asset_id
         where d.chain_id = $1 and d.state = 'credited' and not d.doubted and d.sweep_id is null and s.contract is not null
         group by d.merchant_id, d.asset_id, s.decimals, d.to_address order by d.to_address, d.asset_id`,
        [chainId],
      )
      if (held.length > 0) {
        const { merchant_id: merchantId, asset_id: assetId, decimals, amount } = oneOf(dice, held)
        const { deps } = world.server
        const { gas } = await quotePayout(deps, (await readPayableAsset(deps.pool, assetId))!)
        // With what it costs about all of the address, so that what is left is often worth no sweep of its own.
        const units = BigInt(amount) + (gas * BigInt(oneOf(dice, [0, 6, 8, 9, 10, 15]))) / 10n
        const found = { merchantId, assetId, chainId, amount: formatDecimal(units, decimals) }
        await withdrawAtOnce(world, dice, 1, found)
      }
      const waiting = await rowsOf(
        world.owner,
        `select id from withdrawals where chain_id = $1 and status = ${withdrawalStatus.auditing} order by id`,
        [chainId],
      )
      for (const { id } of waiting) await approveWithdrawal(world.server.deps, { id, by: atShell('operator') })
      await insertRequest(world.server.deps.pool, newId(), chainId, null, world.clock())
      for (let i = 2 + dice.below(4); i > 0; i--) {
        await world.server.sweep(chainId)
        await goOn(world, place)
      }
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
