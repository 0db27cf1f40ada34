import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { guards } from './guards.ts'
import { markersOfSources, replaceMarked } from './markers.ts'

const root = new URL('../../', import.meta.url)
const sources = markersOfSources()

test('each marker occurs once in the source and is used by a guard', () => {
  const used = new Set(guards.flatMap(({ without }) => Object.keys(without)))
  assert.deepEqual([...sources.values()].flat().sort(), [...used].sort())
})

for (const { name, without } of guards) {
  test(`the source without the guard is valid TypeScript: ${name}`, () => {
    for (const [marker, replacement] of Object.entries(without)) {
      const [path] = [...sources].find(([, markers]) => markers.includes(marker))!
      const replaced = replaceMarked(readFileSync(new URL(path, root), 'utf8'), marker, replacement)
      assert.ok(replaced, `${path} has ${marker} where no statement follows, or without its end`)
      stripTypeScriptTypes(replaced)
    }
  })
}

const statements = `
  // guard: late
  if (late) {
    refuse()
  } else keep()
  return all
    // guard: confirmed
    .filter(each => each.depth > 3)
    .map(each => each.id)
`

test('replaces a statement including its continuation lines', () => {
  assert.equal(replaceMarked(statements, 'late', 'keep()'), statements.replace(/\/\/ guard: late\n[\s\S]* else /, ''))
  assert.equal(
    replaceMarked(statements, 'confirmed', was => `${was}()`),
    statements.replace(/\/\/ guard: confirmed\n +(.*)/, '$1()'),
  )
})

test('replaces a part of a statement or of SQL between its comments', () => {
  const sql = 'where /* guard: own */ a = b\n and c /* end */ limit 1'
  assert.equal(replaceMarked(sql, 'own', 'true'), 'where true limit 1')
  assert.equal(
    replaceMarked(sql, 'own', was => `(${was})`),
    'where (a = b\n and c) limit 1',
  )
})

test('a missing marker replaces nothing', () => {
  assert.equal(replaceMarked(statements, 'other', ''), undefined)
})
