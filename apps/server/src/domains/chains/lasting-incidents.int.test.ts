import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tx } from '../../kit/db.ts'
import { moneyWorld, rowsOf } from '../../testing/money.ts'
import { endUnseenIncidents, reportLastingIncident } from './lasting-incidents.ts'

const { deps, owner } = await moneyWorld({ after })

/** Reports a cause as it is now. */
const report = (token: string, detail: Record<string, unknown>) =>
  tx(deps.pool, c =>
    reportLastingIncident(
      c,
      { kind: 'issuer_stops', chain_id: 'eth', of: { token }, detail: { token, ...detail } },
      deps.clock(),
    ),
  )
const seen = async (token: string) =>
  rowsOf(
    owner,
    `select i.detail - 'token' as detail, (select coalesce(json_agg(e.text order by e.id), '[]') from incident_entries e
       where e.incident_id = i.id and e.what = 'changed') as before
     from incidents i where i.detail ->> 'token' = $1 order by created_at`,
    [token],
  )

test('an incident that lasts shows its present reason, and its record each that it had before, once', async () => {
  assert.equal(await report('a', { reason: 'issuer: paused' }), true)
  assert.equal(await report('a', { reason: 'issuer: listed', wallet: '0x1' }), false)
  assert.deepEqual(await seen('a'), [
    { detail: { reason: 'issuer: listed', wallet: '0x1' }, before: ['issuer: paused'] },
  ])
  deps.pass(20)
  assert.equal(await report('a', { reason: 'issuer: listed', wallet: '0x2' }), false)
  assert.deepEqual(await seen('a'), [
    { detail: { reason: 'issuer: listed', wallet: '0x2' }, before: ['issuer: paused'] },
  ])
  for (let i = 0; i < 3; i++)
    for (const reason of ['issuer: paused', 'issuer: listed']) {
      deps.pass(20)
      await report('a', { reason })
    }
  assert.deepEqual(await seen('a'), [
    { detail: { reason: 'issuer: listed' }, before: ['issuer: paused', 'issuer: listed'] },
  ])
})

test('a time or an amount in a reason that changes is no other reason, and a flood of reasons is bounded', async () => {
  for (const time of ['10:00', '10:01', '10:02']) await report('b', { reason: `chain_behind | ${time}` })
  assert.deepEqual(await seen('b'), [{ detail: { reason: 'chain_behind | 10:02' }, before: [] }])
  for (let i = 0; i < 40; i++) await report('c', { reason: `answer ${i}` })
  const [row] = await seen('c')
  assert.deepEqual([row?.detail, row?.before.length], [{ reason: 'answer 39' }, 20])
})

test('an incident whose cause changed ends with its last one, and one that comes again is another', async () => {
  await report('d', { reason: 'issuer: paused' })
  deps.pass(50)
  await report('d', { reason: 'issuer: listed' })
  const end = () => endUnseenIncidents(deps.pool, ['issuer_stops'], 'eth', deps.clock() - 60, deps.clock())
  const open = () => rowsOf(owner, `select id from incidents where detail ->> 'token' = 'd' and resolved_at is null`)
  deps.pass(30)
  await end()
  assert.equal((await open()).length, 1, 'seen 30 seconds ago')
  deps.pass(60)
  await end()
  assert.equal((await open()).length, 0)
  assert.equal(await report('d', { reason: 'issuer: paused' }), true)
})
