import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isReachableByAll } from './account.ts'
import { lockFolder } from './lock.ts'
import { checkPort, freePort } from './ports.ts'
import { explainFailure } from './postgres-folder.ts'
import { folderProblem, Problem } from './problem.ts'

const systemError = (code: string, syscall = 'open') => Object.assign(new Error(code), { code, syscall })

test('a folder that cannot be written to is one line with what to do', () => {
  const cases: [string, string, RegExp][] = [
    ['ENOSPC', 'write', /^The disk under \/data is full\. Free some space/],
    ['EDQUOT', 'write', /^The disk under \/data is full\./],
    ['EROFS', 'open', /^Cannot write to \/data\. Make it writable/],
    ['EACCES', 'mkdir', /^Cannot write to \/data\./],
    ['ENOENT', 'mkdir', /^Cannot write to \/data\./],
    ['ENOTDIR', 'mkdir', /^\/data is not a folder\. Move it away/],
  ]
  for (const [code, syscall, line] of cases) {
    const problem = folderProblem(systemError(code, syscall), '/data')
    assert.ok(problem instanceof Problem, code)
    assert.match(problem.message, line)
    assert.match(problem.message, /COFFER_DATA/)
  }
  const other = systemError('ENOENT')
  assert.equal(folderProblem(other, '/data'), other)
})

test('what PostgreSQL says when it gives up becomes one line', () => {
  const say = (output: string) => explainFailure(output, '/data/pg').message
  assert.match(say('FATAL:  could not write to file: No space left on device'), /^The disk under \/data\/pg is full/)
  assert.match(say('initdb: error: could not create directory: Permission denied'), /^Cannot write to \/data\/pg/)
  const log =
    '2026-01-01 00:00:00 UTC [1] LOG:  starting\n2026-01-01 00:00:00 UTC [1] FATAL:  no memory\nHINT: buy some'
  assert.equal(say(log), 'PostgreSQL did not start in /data/pg: no memory.')
  assert.equal(say(''), 'PostgreSQL did not start in /data/pg: it gave no reason.')
})

test('a port in use is named with the setting that chooses it', async t => {
  const port = await freePort()
  await checkPort(port, '127.0.0.1', 'COFFER_PORT')
  const server = createServer()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  t.after(() => server.close())
  await assert.rejects(checkPort(port, '127.0.0.1', 'COFFER_PORT'), {
    name: 'Problem',
    message: `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or set COFFER_PORT to another port.`,
  })
})

test('a folder is locked for one purpose at a time, and free again after', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const lock = await lockFolder(folder, 'one')
  await assert.rejects(lockFolder(folder, 'one'), {
    name: 'Problem',
    message: `${folder} is already in use by process ${process.pid}. Stop that one first, or set COFFER_DATA to another folder.`,
  })
  await (await lockFolder(folder, 'another')).release()
  await lock.release()
  await (await lockFolder(folder, 'one')).release()
})

test('a private folder above makes a file unreachable for others', t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-private-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(isReachableByAll('/bin/sh'), true)
  assert.equal(isReachableByAll(folder), false)
})
