import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eth, moneyWorld, rowsOf } from '../../testing/money.ts'
import { closeIncident } from './close-incident.ts'
import { type ChainDelays, watchChains } from './watch-chains.ts'

async function watched(t: Parameters<typeof moneyWorld>[0]) {
  const { deps, owner } = await moneyWorld(t)
  const delays: ChainDelays = new Map()
  const read = (ago: number) =>
    owner.query(`update chains set last_number = 1000, head_number = 1000, last_time = $1, read_at = $1`, [
      deps.clock() - ago,
    ])
  await read(0)
  return {
    deps,
    read,
    look: (nodes: Parameters<typeof watchChains>[2] = [], differing: typeof nodes = []) =>
      watchChains(deps, delays, nodes, differing),
    open: () =>
      rowsOf(owner, `select id, kind, detail from incidents where resolved_at is null and chain_id = $1`, [eth.id]),
    entries: () =>
      rowsOf(
        owner,
        'select e.what, e.who from incident_entries e join incidents i on i.id = incident_id where chain_id = $1',
        [eth.id],
      ),
  }
}

test('a chain that stays delayed is an incident, which nobody closes and which ends with its cause', async t => {
  const { deps, read, look, open, entries } = await watched(t)
  await read(300)
  await look()
  assert.deepEqual(await open(), [], 'most delays end by themselves')
  deps.pass(240)
  await look()
  await look()
  const [incident, ...more] = await open()
  assert.deepEqual([incident?.kind, more], ['chain_delayed', []])
  const close = closeIncident(deps, { id: String(incident!.id), who: 'root', reason: 'it is over' })
  await assert.rejects(close, { message: 'operation_failed' })
  await read(0)
  await look()
  assert.equal((await open()).length, 1, 'not before it was not seen for a minute')
  deps.pass(61)
  await read(0)
  await look()
  assert.deepEqual([await open(), await entries()], [[], [{ what: 'ended', who: '' }]])
})

test('a node that fails for ten minutes is an incident until it answers again', async t => {
  const { deps, read, look, open } = await watched(t)
  const node = (failures: number, ago: number) => ({
    chain: eth.id,
    name: 'node.example',
    failures,
    since: Date.now() - ago * 1_000,
    at: Date.now(),
    reason: 'no answer within 10 s',
  })
  await look([node(29, 601), node(400, 500)])
  assert.deepEqual(await open(), [], 'too few, or too short')
  await look([node(30, 601)])
  await look([node(34, 616)])
  assert.deepEqual(
    (await open()).map(each => [each.kind, each.detail]),
    [['node_failing', { node: 'node.example', reason: 'no answer within 10 s' }]],
  )
  deps.pass(61)
  await read(0)
  await look()
  assert.deepEqual(await open(), [])
})

test('a node that differs from most twice is an incident that names it, until it no longer does', async t => {
  const { deps, read, look, open } = await watched(t)
  const reason = 'reports a tip of 600 gwei, where 2 is offered'
  const node = (failures: number) => ({
    chain: eth.id,
    name: 'node.example',
    failures,
    since: Date.now(),
    at: Date.now(),
    reason,
  })
  await look([], [node(1)])
  assert.deepEqual(await open(), [], 'once may be by chance')
  await look([], [node(2)])
  await look([], [node(3)])
  assert.deepEqual(
    (await open()).map(each => [each.kind, each.detail]),
    [['node_differs', { node: 'node.example', reason }]],
  )
  deps.pass(61)
  await read(0)
  await look()
  assert.deepEqual(await open(), [])
})
