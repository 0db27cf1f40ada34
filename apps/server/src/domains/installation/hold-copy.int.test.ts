import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findCommand, NotConfirmed, runCommand } from '../../cli/run.ts'
import { isCopy } from '../../kit/copy-switch.ts'
import { tx } from '../../kit/db.ts'
import { makeFileAddressIndexMark } from '../../outside/address-index-mark.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant, visitor } from '../../testing/merchants.ts'
import { readQueuePause, resumeQueue } from '../chains/pause-queue.ts'
import { readPayoutStop } from '../chains/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { bindInstallation } from './fingerprints.ts'
import { beatDatabase, releaseCopy } from './hold-copy.ts'

/** An installation that was started once, with a folder outside the database. */
async function started(t: Parameters<typeof withDeps>[0]) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-mark-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const deps = await withDeps(t, { addressMark: makeFileAddressIndexMark(folder) })
  await bindInstallation(deps)
  return deps
}

test('a database in another place is held as a copy until it is released, and only then', async t => {
  const deps = await started(t)
  const held = () => isCopy(deps.pool)
  await bindInstallation(deps)
  assert.equal(await held(), false, 'the same database')
  await deps.owner.query(
    `update fingerprints set value = regexp_replace(value, '[0-9]+$', '0') where name = 'database'`,
  )
  await bindInstallation(deps)
  assert.equal(await held(), false, 'a promoted standby')

  await deps.owner.query(`update fingerprints set value = 'elsewhere/1/1' where name = 'database'`)
  await bindInstallation(deps)
  assert.match((await readPayoutStop(deps.pool, 'eth', ''))!.reason, /^copy_elsewhere/)
  for (const queue of ['withdrawals', 'callbacks', 'sweeps'] as const) {
    assert.match((await readQueuePause(deps.pool, queue))!.reason, /^copy_elsewhere/)
    await assert.rejects(resumeQueue(deps, { queue }), { reason: 'operation_failed' })
  }
  const { id } = await testMerchant(deps)
  deps.mails.length = 0
  await tx(deps.pool, async (_, uow) =>
    recordEvent(deps, uow, { merchantId: id, personId: id, type: 'authenticator_bound', from: visitor }),
  )
  await deps.delivered()
  assert.deepEqual(deps.mails, [])
  const open = async () =>
    (await deps.owner.query(`select detail ->> 'reason' as reason from incidents where resolved_at is null`)).rows
  assert.deepEqual(await open(), [{ reason: 'copy_elsewhere' }])
  await bindInstallation(deps)
  assert.equal(await held(), true, 'another start releases nothing')

  const questions: string[] = []
  const answer = async (question: string) => void questions.push(question)
  const release = findCommand(['restore', 'release', 'the old machine burned'])!
  const refuse = async (_: string, word: string) => {
    throw new NotConfirmed(word)
  }
  const hasty = await runCommand(deps, release, { yes: true, confirm: refuse })
  assert.deepEqual(
    [hasty.code, hasty.text, await held()],
    [2, 'original-is-off', true],
    'a habitual option is no answer',
  )
  const { code, text } = await runCommand(deps, release, { yes: true, confirm: answer })
  assert.equal(code, 0, text)
  assert.equal(questions.length, 2)
  assert.match(questions[0]!, /is a copy of another one.* Are the servers and the database of the original off\?/)
  await deps.delivered()
  assert.equal(deps.mails.length, 1, 'what was held is sent')
  assert.deepEqual(await open(), [])
  await bindInstallation(deps)
  assert.equal(await held(), false)
  const scripted = findCommand(['restore', 'release', 'burned', 'original-is-off'])!
  assert.match((await runCommand(deps, scripted, { confirm: refuse })).text, /not held as a copy/)
})

test('a database that went back is held, also under a server that runs', async t => {
  const deps = await started(t)
  for (let n = 0; n < 3; n++) await beatDatabase(deps)
  const { rows } = await deps.owner.query('select beats::int from lineage')
  assert.deepEqual(rows, [{ beats: 3 }])
  const goBack = () => deps.owner.query('update lineage set beats = 1')

  await goBack()
  await beatDatabase(deps)
  assert.match((await readPayoutStop(deps.pool, 'eth', ''))!.reason, /^copy_older/)
  await releaseCopy(deps)
  await beatDatabase(deps)
  await bindInstallation(deps)
  assert.equal(await isCopy(deps.pool), false, 'once released it goes on from there')

  await goBack()
  await bindInstallation(deps)
  assert.equal(await isCopy(deps.pool), true, 'at a start')
})
