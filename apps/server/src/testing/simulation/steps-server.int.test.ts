import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../money.ts'
import { finalOf } from './steps-chain.ts'
import { resumeHalted } from './steps-server.ts'
import { makeWorld } from './world.ts'

test('a chain that leaves final blocks again before it is resumed is halted again', async t => {
  const world = await makeWorld(t, 1)
  const place = world.places.find(each => !each.definition.minimum)!
  const { id, confirmations } = place.definition
  const follow = async () => {
    world.heal()
    for (let i = 0; i <= confirmations; i++) world.mine(place)
    await world.server.follow(id)
    return (await rowsOf(world.owner, 'select halted from chains where id = $1', [id]))[0].halted !== null
  }
  const leave = async (depth: number) => {
    const final = await finalOf(world, id)
    world.deep.add(id)
    place.chain.reorg(depth, depth, 0, world.time, final)
  }
  for (let i = 0; i < 10; i++) assert.equal(await follow(), false)
  await leave(2 * confirmations + 3)
  assert.equal(await follow(), true)
  await leave(4 * confirmations + 6)
  await resumeHalted(world)
  assert.equal(await follow(), true, 'the ancestor was left')
  await resumeHalted(world)
  assert.equal(await follow(), false)
  assert.deepEqual([...world.deep], [])
})
