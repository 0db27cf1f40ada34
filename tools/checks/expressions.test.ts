import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFull } from '@coffer/local/testing/full.ts'
import { expressions, judgedFile, libraryVersion } from './expressions.ts'
import { complaints } from './testing/complaints.ts'

test('rejects expressions in more than linear time, and those made at run time', async t => {
  const at = (line: string) => complaints(t, expressions, { 'apps/server/src/a.ts': line })
  for (const line of ['/0+$/', '/^(?:a|a)*$/', '/"(?:[^"\\\\]|\\\\.)*"/g', 'text.replace(/\\s*%$/, "")'])
    assert.match((await at(line)).join(), /takes more than linear time/, line)
  assert.match((await at('new RegExp(name)')).join(), /is made at run time/)
  for (const line of ['/(?<!0)0+$/', '/^a*$/', 'const a = 4 / 2 / 1']) assert.deepEqual(await at(line), [], line)
  assert.deepEqual(await complaints(t, expressions, { 'apps/server/src/a.test.ts': '/0+$/' }), [])
})

test('believes the list of judged expressions only for the same version of the library', async t => {
  const slow = { 'apps/server/src/a.ts': '/0+$/' }
  const judgedBy = (recheck: string) => ({ [judgedFile]: JSON.stringify({ recheck, linear: ['/0+$/'] }), ...slow })
  if (!isFull()) assert.deepEqual(await complaints(t, expressions, judgedBy(libraryVersion())), [])
  assert.match((await complaints(t, expressions, judgedBy('1.0.0'))).join(), /takes more than linear time/)
})
