import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ethereum } from '@coffer/chains'
import { until } from '@coffer/local/testing/until.ts'
import { pino } from 'pino'
import { registry } from '../kit/metrics.ts'
import { SignerUnavailable } from './client.ts'
import { prepareSandboxSigner, startSigner } from './start.ts'
import { superviseSigner } from './supervise.ts'

const log = pino({ level: 'silent' })

/**
 * Supervises a sandbox signer. Returns it with every process started for it. `onRestart` is called before each restart.
 */
async function supervised(t: TestContext, pauseMs = 1, onRestart = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await prepareSandboxSigner(folder, [ethereum])
  const started: Awaited<ReturnType<typeof startSigner>>[] = []
  const start = async (where: string) => {
    if (started.length > 0) onRestart()
    const signer = await startSigner(where)
    started.push(signer)
    return signer
  }
  const signer = await superviseSigner(folder, { log, pauseMs, start })
  t.after(() => signer.stop())
  return { folder, signer, started }
}

const isUp = async () => /^coffer_process_up\{process="signer"\} (\d)$/m.exec(await registry.metrics())?.[1] === '1'

const untilUp = () => until('the signer is up', isUp)
const untilDown = () => until('the signer is reported as down', async () => !(await isUp()))

test('restarts a killed signer and reconnects the client', async t => {
  const { signer, started } = await supervised(t)
  const xpub = await signer.client.xpub('evm')
  assert.equal(await isUp(), true)
  for (const count of [2, 3]) {
    const last = started.at(-1)!
    last.process.kill('SIGKILL')
    await last.ended
    await until(`${count} signers were started`, () => started.length === count)
    await untilUp()
    assert.equal(await signer.client.xpub('evm'), xpub)
  }
})

test('reports a signer that is down and fails calls at once', async t => {
  const { signer, started } = await supervised(t, 3_600_000)
  started[0]!.process.kill('SIGKILL')
  await started[0]!.ended
  await untilDown()
  await assert.rejects(signer.client.xpub('evm'), SignerUnavailable)
  assert.equal(started.length, 1, 'no restart before the pause is over')
})

test('retries a signer that fails to start', async t => {
  const { folder, signer, started } = await supervised(t)
  await rm(join(folder, 'policy.json'))
  started[0]!.process.kill('SIGKILL')
  await started[0]!.ended
  await untilDown()
  await prepareSandboxSigner(folder, [ethereum])
  await untilUp()
  assert.match(await signer.client.xpub('evm'), /^xpub/)
})

test('rejects when the first start fails, and does not restart a stopped signer', async t => {
  await assert.rejects(superviseSigner(join(tmpdir(), 'no such folder'), { log }), /cannot start/)
  const { signer, started } = await supervised(t)
  await signer.stop()
  assert.equal(started[0]!.process.exitCode, 0)
  await assert.rejects(signer.client.xpub('evm'), SignerUnavailable)
  assert.equal(started.length, 1)
})

test('stops a signer that is restarting', async t => {
  let onRestart = () => {}
  const restarting = new Promise<void>(resolve => {
    onRestart = resolve
  })
  const { signer, started } = await supervised(t, 1, onRestart)
  started[0]!.process.kill('SIGKILL')
  await restarting
  await signer.stop()
  assert.deepEqual([started.length, started[1]?.process.exitCode], [2, 0])
})
