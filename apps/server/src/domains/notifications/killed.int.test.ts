import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { withDeps } from '../../testing/deps.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { testMerchant } from '../../testing/merchants.ts'

/** Events, none of which may be lost. */
const rounds = 200
/** Longer than a lease. */
const leaseOver = 121

const script = new URL('../../testing/message-process.ts', import.meta.url).pathname

test('servers that get SIGKILL after a commit, and between sending and recording, lose nothing, and a repeat has the same Message-ID', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const start = (...values: (string | number)[]): ChildProcess => {
    const child = spawn(process.execPath, [script, deps.url, ...values.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    return child
  }
  const stored = async () =>
    (await deps.owner.query(`select id, (params ->> 'name')::int as n, result, tries from messages order by 2`)).rows

  let committed = 0
  for (let lives = 1; committed < rounds; lives++) {
    const reporter = start('report', id, committed)
    for await (const line of createInterface(reporter.stdout!)) {
      assert.equal(Number(line), committed++)
      if (committed >= Math.min(rounds, lives * 80)) break
    }
    reporter.kill('SIGKILL')
    await once(reporter, 'exit')
    const rows = await stored()
    assert.deepEqual(
      rows.map(row => row.n),
      Array.from(rows, (_, n) => n),
      'each once',
    )
    assert.ok(rows.length >= committed, 'what was committed is there')
    committed = rows.length
  }

  const { state, port } = await startMailServer(t)
  let kills = 0
  for (let isOver = false; !isOver; ) {
    const sender = start('send', port, kills * leaseOver)
    const exit = once(sender, 'exit')
    const end = state.taken.length + 40
    state.onTaken = () => {
      if (state.taken.length === end) sender.kill('SIGKILL')
    }
    const isDone = async () => (await stored()).every(row => row.result !== '')
    await Promise.race([exit, until('all are sent', isDone)])
    isOver = await isDone()
    if (sender.signalCode) kills++
    sender.kill('SIGKILL')
    await exit
  }

  const rows = await stored()
  assert.ok(rows.every(row => row.result === 'accepted'))
  assert.deepEqual(new Set(state.taken), new Set(rows.map(row => row.id)), 'none is lost, and none has another name')
  const repeats = state.taken.length - rows.length
  assert.ok(kills >= 4 && repeats > 0, `${kills} kills, ${repeats} repeats`)
  t.diagnostic(`killed while sending: ${kills}, repeated: ${repeats}, lost: 0 of ${rows.length}`)
})
