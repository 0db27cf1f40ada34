import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeSanctionsCheck } from './sanctions.ts'

const evm = '0x8589427373D6D84E98730D7795D8f6f8731FDA16'
const tron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

test('lists the addresses of the file, reads it again when it changes, and keeps them while it is damaged', t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-sanctions-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'list')
  const errors: object[] = []
  const log = { error: (of: object) => void errors.push(of) } as Parameters<typeof makeSanctionsCheck>[1]
  assert.throws(() => makeSanctionsCheck(path, log), /cannot be used: ENOENT/)
  writeFileSync(path, `# list\r\n${evm} # since 2022\r\n\r\n${tron}\n`)
  const isListed = makeSanctionsCheck(path, log)
  assert.deepEqual([evm, evm.toLowerCase(), tron, tron.toLowerCase()].map(isListed), [true, true, true, false])
  writeFileSync(path, `${evm}\nnot an address\n`)
  assert.deepEqual([tron, evm].map(isListed), [true, true], 'as it was')
  assert.match(JSON.stringify(errors), /line 2 of/)
  writeFileSync(path, evm)
  assert.deepEqual([tron, evm].map(isListed), [false, true])
  assert.equal(makeSanctionsCheck('', log)(evm), false)
})
