import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ethereum } from '@coffer/chains'
import { pino } from 'pino'
import { registry } from '../kit/metrics.ts'
import { SignerUnavailable } from './client.ts'
import { keepSigner } from './keep.ts'
import { prepareSandboxSigner, startSigner } from './start.ts'

const log = pino({ level: 'silent' })

/** A signer that is kept, with the processes that were started for it. */
async function kept(t: TestContext, pauseMs = 1, startsAgain = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await prepareSandboxSigner(folder, [ethereum])
  const started: Awaited<ReturnType<typeof startSigner>>[] = []
  const start = async (where: string) => {
    if (started.length > 0) startsAgain()
    const signer = await startSigner(where)
    started.push(signer)
    return signer
  }
  const signer = await keepSigner(folder, { log, pauseMs, start })
  t.after(() => signer.stop())
  return { folder, signer, started }
}

const isUp = async () => /^coffer_process_up\{process="signer"\} (\d)$/m.exec(await registry.metrics())?.[1] === '1'

async function until(what: () => boolean | Promise<boolean>) {
  while (!(await what())) await sleep(10)
}

test('a signer that is killed is started again, and the client finds it', async t => {
  const { signer, started } = await kept(t)
  const xpub = await signer.client.xpub('evm')
  assert.equal(await isUp(), true)
  for (const count of [2, 3]) {
    const last = started.at(-1)!
    last.process.kill('SIGKILL')
    await last.ended
    await until(() => started.length === count)
    await until(isUp)
    assert.equal(await signer.client.xpub('evm'), xpub)
  }
})

test('while it is away that is told, and asking says so at once', async t => {
  const { signer, started } = await kept(t, 3_600_000)
  started[0]!.process.kill('SIGKILL')
  await started[0]!.ended
  await until(async () => !(await isUp()))
  await assert.rejects(signer.client.xpub('evm'), SignerUnavailable)
  assert.equal(started.length, 1, 'not before the pause is over')
})

test('one that cannot start is tried again', async t => {
  const { folder, signer, started } = await kept(t)
  await rm(join(folder, 'policy.json'))
  started[0]!.process.kill('SIGKILL')
  await started[0]!.ended
  await until(async () => !(await isUp()))
  await prepareSandboxSigner(folder, [ethereum])
  await until(isUp)
  assert.match(await signer.client.xpub('evm'), /^xpub/)
})

test('the first start fails as loudly as ever, and what is stopped stays stopped', async t => {
  await assert.rejects(keepSigner(join(tmpdir(), 'no such folder'), { log }), /cannot start/)
  const { signer, started } = await kept(t)
  await signer.stop()
  assert.equal(started[0]!.process.exitCode, 0)
  await assert.rejects(signer.client.xpub('evm'), SignerUnavailable)
  assert.equal(started.length, 1)
})

test('stopped while it starts again, it does not stay behind', async t => {
  let starting = () => {}
  const again = new Promise<void>(resolve => {
    starting = resolve
  })
  const { signer, started } = await kept(t, 1, starting)
  started[0]!.process.kill('SIGKILL')
  await again
  await signer.stop()
  assert.deepEqual([started.length, started[1]?.process.exitCode], [2, 0])
})
