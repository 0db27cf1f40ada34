import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { until } from '@coffer/local/testing/until.ts'
import { buildWeb } from './parts.ts'

const run = join(import.meta.dirname, 'run.mjs')
const start = join(import.meta.dirname, './start.ts')

// Build beforehand, so that tests which kill a start do not interrupt a build.
before(() => buildWeb())

type Start = { child: ChildProcess; output: () => string; ready: Promise<void>; url: string }

/** Runs `npm start` without npm on the given data folder. */
async function npmStart(dataDir: string, env: Record<string, string> = {}): Promise<Start> {
  const port = await steadyPort()
  const child = spawn(process.execPath, [run, start], {
    env: { ...withoutTestContext(), COFFER_DATA: dataDir, COFFER_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<void>(resolve => {
    const collect = (data: Buffer) => {
      output += data
      if (output.includes('Coffer is ready at')) resolve()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('close', () => resolve())
  })
  return { child, output: () => output, ready, url: `http://127.0.0.1:${port}` }
}

function withoutTestContext(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return env
}

async function ended(started: Start): Promise<number | null> {
  if (started.child.exitCode === null && started.child.signalCode === null) await once(started.child, 'exit')
  return started.child.exitCode
}

/**
 * Processes that refer to a data folder in their working directory, arguments or environment, which includes guards.
 */
function processesOf(dataDir: string): number[] {
  const has = (read: () => string) => {
    try {
      return read().includes(dataDir)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name =>
      [
        () => readlinkSync(`/proc/${name}/cwd`),
        () => readFileSync(`/proc/${name}/cmdline`, 'utf8'),
        () => readFileSync(`/proc/${name}/environ`, 'utf8'),
      ].some(has),
    )
    .map(Number)
}

const untilNothingRuns = (dataDir: string) =>
  until(
    'nothing runs',
    () => processesOf(dataDir).map(describe),
    left => left.length === 0,
  )

const describe = (pid: number) => `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-start-'))
  t.after(() => {
    for (const pid of processesOf(folder)) killIfThere(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  return join(folder, 'data')
}

async function assertServes(started: Start): Promise<void> {
  await started.ready
  assert.match(started.output(), /^Coffer is ready at /)
  assert.equal((await fetch(`${started.url}/readyz`)).status, 200)
}

/** What ends a sandbox. Returns the expected exit code, if its first process is not killed itself. */
const ends: Record<string, (started: Start, folder: string) => number | undefined> = {
  SIGTERM: ({ child }) => {
    child.kill('SIGTERM')
    return 0
  },
  'the first parent is killed': (_, folder) => killProgram(folder, run),
  'the second parent is killed': (_, folder) => killProgram(folder, start),
  'all are killed': (_, folder) => {
    for (const pid of processesOf(folder)) killIfThere(pid)
    return undefined
  },
}

function killProgram(folder: string, program: string): undefined {
  const pid = processesOf(folder).find(each => readFileSync(`/proc/${each}/cmdline`, 'utf8').split('\0')[1] === program)
  assert.ok(pid, `${program} runs`)
  process.kill(pid, 'SIGKILL')
}

test('starts on a folder once at a time, leaves nothing running however it ends, and starts again', async t => {
  const folder = dataFolder(t)
  const keys = new Set<string | undefined>()
  for (const [what, end] of Object.entries(ends)) {
    const started = await npmStart(folder)
    await assertServes(started)
    assert.match(
      started.output(),
      /^Coffer is ready at http:\/\/localhost:\d+ \(sandbox: .*\)\nTest key: sk_test_\S{43} \(webhook secret whsec_.*\)\nAccount key: xpub\w{100,} .*\n$/,
      what,
    )
    keys.add(/sk_test_\S+/.exec(started.output())?.[0])
    if (what === 'SIGTERM') {
      await assertIsRefused(folder)
      await assertServes(started)
    }
    const code = end(started, folder)
    if (code !== undefined) assert.equal(await ended(started), code, what)
    await untilNothingRuns(folder)
    // The folder holds keys and the database, so it must be private.
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  }
  await assertServes(await npmStart(folder))
  assert.equal(keys.size, 1)
})

/** A second start on the same data folder is refused. */
async function assertIsRefused(folder: string): Promise<void> {
  const second = await npmStart(folder)
  assert.equal(await ended(second), 1)
  await second.ready
  assert.match(second.output(), /is already in use by process \d+\. .*COFFER_DATA.*\n$/)
}

test('the test key of COFFER_SANDBOX_KEY pays an order, and times one out, without a browser', async t => {
  const key = `sk_test_${'k'.repeat(24)}`
  const started = await npmStart(dataFolder(t), { COFFER_SANDBOX_KEY: key })
  await started.ready
  assert.match(started.output(), new RegExp(`\nTest key: ${key} `))
  const call = async (path: string, body?: object) => {
    const response = await fetch(started.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { code: number; msg: string; data: Record<string, unknown> }
    assert.equal(answer.code, 200, `${path}: ${answer.msg}`)
    return answer.data
  }
  const order = await call('/api/v1/pay/orders', { out_trade_no: 'first-1', amount: '10', currency: 'USDT' })
  await call('/sandbox/pay', { trade_no: order.trade_no })
  const paid = await until(
    'the payment is open no more',
    () => call(`/api/v1/pay/orders/${order.trade_no}`),
    ({ status }) => status !== 1,
  )
  assert.deepEqual([paid.status, paid.chain_id, paid.token], [2, 'eth', 'USDT'])
  const chosen = { chain: 'bsc', token: 'USDT' }
  const late = await call('/api/v1/pay/orders', { out_trade_no: 'first-2', amount: '10', ...chosen })
  assert.equal((await call('/sandbox/clock', { seconds: 1800 })).payments, 1)
  assert.equal((await call(`/api/v1/pay/orders/${late.trade_no}`)).status, 3)
  started.child.kill('SIGTERM')
  await ended(started)
})

test('leaves nothing running after a signal during the start', async t => {
  const folder = dataFolder(t)
  const started = await npmStart(folder)
  await until('four processes run', () => processesOf(folder).length >= 4)
  started.child.kill('SIGINT')
  assert.equal(await ended(started), 0)
  await untilNothingRuns(folder)
})

test('explains a failed start in one line, with exit code 1', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const address = taken.address()
  assert.ok(typeof address === 'object' && address)

  const first = await npmStart(dataFolder(t), { COFFER_PORT: String(address.port) })
  assert.equal(await ended(first), 1)
  await first.ready
  assert.match(first.output(), /^Port \d+ on 127\.0\.0\.1 is in use\. .*COFFER_PORT.*\n$/)

  const second = await npmStart(dataFolder(t), { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
  assert.equal(await ended(second), 1)
  await second.ready
  assert.match(second.output(), /^No database answers where DATABASE_URL points\. [^\n]*\n$/)

  const wrongKey = await npmStart(dataFolder(t), { COFFER_SANDBOX_KEY: 'sk_live_x' })
  assert.equal(await ended(wrongKey), 1)
  await wrongKey.ready
  assert.match(wrongKey.output(), /^COFFER_SANDBOX_KEY is no test key: [^\n]*\n$/)

  const third = await npmStart(run)
  assert.equal(await ended(third), 1)
  await third.ready
  assert.match(third.output(), /^\S+run\.mjs is not a folder\. .*COFFER_DATA.*\n$/)
})
