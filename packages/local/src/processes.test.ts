import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startChild } from './children.ts'
import {
  endProcess,
  endRecordedProcess,
  isRunning,
  processIdOf,
  recordProcess,
  sendSignal,
  waitForEnd,
} from './processes.ts'

/** Starts a shell that runs `script`, prints a line once its traps are set, and then loops until killed. */
async function shell(t: TestContext, script: string) {
  const child = spawn('/bin/sh', ['-c', `${script}; echo up; while :; do sleep 0.05; done`], { detached: true })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const id = processIdOf(child.pid ?? 0)
  assert.ok(id)
  return { child, id }
}

const folder = (t: TestContext) => {
  const path = mkdtempSync(join(tmpdir(), 'coffer-processes-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('distinguishes a process from a later one with the same pid', async t => {
  const { id } = await shell(t, ':')
  assert.equal(isRunning(id), true)
  const earlier = { ...id, started: '1' }
  assert.equal(isRunning(earlier), false)
  assert.equal(sendSignal(earlier, 'SIGKILL'), false)
  assert.equal(isRunning(id), true, 'it must not be signalled')
})

test('sends SIGKILL only after the stop signals', async t => {
  const compliant = await shell(t, "trap 'exit 7' TERM")
  const exited = once(compliant.child, 'exit')
  await endProcess(compliant.id, [['SIGTERM', 5_000]])
  assert.deepEqual(await exited, [7, null])

  const stubborn = await shell(t, "trap '' TERM")
  const killed = once(stubborn.child, 'exit')
  await endProcess(stubborn.id, [['SIGTERM', 100]])
  assert.deepEqual(await killed, [null, 'SIGKILL'])
})

test('ends the recorded process, and ignores a truncated record or another process', async t => {
  const path = join(folder(t), 'process.json')
  const { id } = await shell(t, ':')
  writeFileSync(path, '{"pid": 1')
  await endRecordedProcess(path, [])
  assert.equal(existsSync(path), false)

  recordProcess(path, { ...id, started: '1' })
  await endRecordedProcess(path, [['SIGTERM', 5_000]])
  assert.equal(isRunning(id), true)

  recordProcess(path, id)
  await endRecordedProcess(path, [['SIGTERM', 5_000]])
  assert.equal(isRunning(id), false)
  assert.equal(existsSync(path), false)
})

test('stops a child with its stop signal when the parent is killed', async t => {
  const out = join(folder(t), 'stopped')
  const program = `
    import { startChild } from ${JSON.stringify(join(import.meta.dirname, './children.ts'))}
    const script = "trap 'echo stopped > ${out}; exit' INT; while :; do sleep 0.05; done"
    const child = await startChild({
      name: 'it', command: '/bin/sh', args: ['-c', script], stdio: 'ignore', stopWith: [['SIGINT', 1000]],
    })
    console.log(JSON.stringify(child.id))
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const id = JSON.parse(String(line))
  parent.kill('SIGKILL')
  assert.equal(await waitForEnd(id, 10_000), true)
  assert.equal(existsSync(out), true)
})

test('rejects a missing program, and reports how a child ended', async () => {
  const options = { name: 'it', stopWith: [], stdio: 'ignore' as const }
  await assert.rejects(startChild({ ...options, command: '/nowhere', args: [] }), { code: 'ENOENT' })
  const child = await startChild({ ...options, command: '/bin/sh', args: ['-c', 'exit 3'] })
  assert.deepEqual(await child.ended, { code: 3, signal: null })
  await child.stop()
})
