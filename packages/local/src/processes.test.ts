import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startChild } from './children.ts'
import { endProcess, endRecorded, identify, isRunning, record, signal, waitForEnd } from './processes.ts'

/** A shell that says a word when it listens to signals, and then lives until one ends it. */
async function shell(t: TestContext, script: string) {
  const child = spawn('/bin/sh', ['-c', `${script}; echo up; while :; do sleep 0.05; done`], { detached: true })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const id = identify(child.pid ?? 0)
  assert.ok(id)
  return { child, id }
}

const folder = (t: TestContext) => {
  const path = mkdtempSync(join(tmpdir(), 'coffer-processes-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a process is told from a later one with the same pid', async t => {
  const { id } = await shell(t, ':')
  assert.equal(isRunning(id), true)
  const earlier = { ...id, started: '1' }
  assert.equal(isRunning(earlier), false)
  assert.equal(signal(earlier, 'SIGKILL'), false)
  assert.equal(isRunning(id), true, 'was left alone')
})

test('the gentle signal comes first, force after it', async t => {
  const gentle = await shell(t, "trap 'exit 7' TERM")
  const gone = once(gentle.child, 'exit')
  await endProcess(gentle.id, [['SIGTERM', 5_000]])
  assert.deepEqual(await gone, [7, null])

  const stubborn = await shell(t, "trap '' TERM")
  const killed = once(stubborn.child, 'exit')
  await endProcess(stubborn.id, [['SIGTERM', 100]])
  assert.deepEqual(await killed, [null, 'SIGKILL'])
})

test('what a killed parent recorded is ended; a broken record and a foreign process are left alone', async t => {
  const path = join(folder(t), 'process.json')
  const { id } = await shell(t, ':')
  writeFileSync(path, '{"pid": 1')
  await endRecorded(path, [])
  assert.equal(existsSync(path), false)

  record(path, { ...id, started: '1' })
  await endRecorded(path, [['SIGTERM', 5_000]])
  assert.equal(isRunning(id), true)

  record(path, id)
  await endRecorded(path, [['SIGTERM', 5_000]])
  assert.equal(isRunning(id), false)
  assert.equal(existsSync(path), false)
})

test('a child ends when its parent is killed, by the signal it is gentle to', async t => {
  const out = join(folder(t), 'said')
  const program = `
    import { startChild } from ${JSON.stringify(join(import.meta.dirname, './children.ts'))}
    const script = "trap 'echo gently > ${out}; exit' INT; while :; do sleep 0.05; done"
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

test('a program that does not exist is refused, and a child that ends says how', async () => {
  const options = { name: 'it', stopWith: [], stdio: 'ignore' as const }
  await assert.rejects(startChild({ ...options, command: '/nowhere', args: [] }), { code: 'ENOENT' })
  const child = await startChild({ ...options, command: '/bin/sh', args: ['-c', 'exit 3'] })
  assert.deepEqual(await child.ended, { code: 3, signal: null })
  await child.stop()
})
