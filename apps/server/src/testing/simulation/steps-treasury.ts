import assert from 'node:assert/strict'
import { rowsOf } from '../money.ts'
import { hotWallets } from './sim-signer.ts'
import { oneOf, type Steps } from './steps.ts'
import { goOn } from './steps-out.ts'
import { assertNothingAbove, sendFromTreasury } from './treasury.ts'
import type { Place, World } from './world.ts'

/** Returns the symbols of what the hot wallet of a chain waits for, after a pass over its payouts. */
async function waitsFor(world: World, { definition: { id, kind } }: Place): Promise<string[]> {
  await world.server.send(id)
  const [row] = await rowsOf(world.owner, 'select waits from wallets where chain_id = $1 and address = $2', [
    id,
    hotWallets[kind],
  ])
  return (row?.waits ?? '').split(', ').map((each: string) => each.split(' ').at(-1)!)
}

export const treasurySteps: Steps = {
  'what is above the float moves': [
    5,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      const { id } = place.definition
      if (dice.chance(0.5)) await world.publishPrices()
      const servers = dice.chance(0.3) ? [world.server, world.start()] : [world.server]
      const done = await Promise.allSettled(servers.map(each => each.keepFloat(id)))
      for (const each of done) if (each.status === 'rejected') throw each.reason
      if (dice.chance(0.5)) await goOn(world, place)
    },
  ],
  'a move takes nothing that payouts need': [
    2,
    async (world, dice) => {
      world.heal()
      const place = oneOf(dice, world.places)
      const before = await waitsFor(world, place)
      await world.server.keepFloat(place.definition.id)
      const after = await waitsFor(world, place)
      assert(
        after.every(each => before.includes(each)),
        `payouts wait for ${after}, before a move for ${before}`,
      )
    },
  ],
  'the operator fills the hot wallet': [
    3,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      if (!world.floats.has(place.definition.id)) return
      const { contract, unit } = oneOf(dice, world.assets(place))
      sendFromTreasury(world, place, contract, oneOf(dice, [1n, 20n, 200n]) * unit)
    },
  ],
}

/** Moves what the hot wallets do not need, and asserts that they hold their floats. */
export async function restTreasury(world: World): Promise<void> {
  for (const place of world.places) {
    for (let i = 0; i < 2; i++) {
      await world.server.keepFloat(place.definition.id)
      await goOn(world, place, true)
    }
    if (!world.everDeep) assertNothingAbove(world, place)
  }
}
