import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isReachableByAll } from './account.ts'
import { lockFolder } from './lock.ts'
import { checkPort, findFreePort } from './ports.ts'
import { explainPostgresFailure } from './postgres-folder.ts'
import { folderProblem, OperatorProblem } from './problem.ts'

const systemError = (code: string, syscall = 'open') => Object.assign(new Error(code), { code, syscall })

test('explains in one line why a folder is not writable and what to do', () => {
  const cases: [string, string, RegExp][] = [
    ['ENOSPC', 'write', /^The disk of \/data is full\. Free some space/],
    ['EDQUOT', 'write', /^The disk of \/data is full\./],
    ['EROFS', 'open', /^Cannot write to \/data\. Make it writable/],
    ['EACCES', 'mkdir', /^Cannot write to \/data\./],
    ['ENOENT', 'mkdir', /^Cannot write to \/data\./],
    ['ENOTDIR', 'mkdir', /^\/data is not a folder\. Move it away/],
  ]
  for (const [code, syscall, line] of cases) {
    const problem = folderProblem(systemError(code, syscall), '/data')
    assert.ok(problem instanceof OperatorProblem, code)
    assert.match(problem.message, line)
    assert.match(problem.message, /COFFER_DATA/)
  }
  const other = systemError('ENOENT')
  assert.equal(folderProblem(other, '/data'), other)
})

test('reduces the output of a failed PostgreSQL to one line', () => {
  const explain = (output: string) => explainPostgresFailure(output, '/data/pg').message
  assert.match(explain('FATAL:  could not write to file: No space left on device'), /^The disk of \/data\/pg is full/)
  assert.match(explain('initdb: error: could not create directory: Permission denied'), /^Cannot write to \/data\/pg/)
  const log =
    '2026-01-01 00:00:00 UTC [1] LOG:  starting\n2026-01-01 00:00:00 UTC [1] FATAL:  no memory\nHINT: buy some'
  assert.equal(explain(log), 'PostgreSQL did not start in /data/pg: no memory.')
  assert.equal(explain(''), 'PostgreSQL did not start in /data/pg: no reason given.')
})

test('names a port in use and the setting that chooses it', async t => {
  const port = await findFreePort()
  await checkPort(port, '127.0.0.1', 'COFFER_PORT')
  const server = createServer()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  t.after(() => server.close())
  await assert.rejects(checkPort(port, '127.0.0.1', 'COFFER_PORT'), {
    name: 'OperatorProblem',
    message: `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or set COFFER_PORT to another port.`,
  })
})

test('locks a folder per purpose until released', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const lock = await lockFolder(folder, 'one')
  await assert.rejects(lockFolder(folder, 'one'), {
    name: 'OperatorProblem',
    message: `${folder} is already in use by process ${process.pid}. Stop that process first, or set COFFER_DATA to another folder.`,
  })
  await (await lockFolder(folder, 'another')).release()
  await lock.release()
  await (await lockFolder(folder, 'one')).release()
})

test('reports files below a private folder as unreachable', t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-private-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(isReachableByAll('/bin/sh'), true)
  assert.equal(isReachableByAll(folder), false)
})
