import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { growth, linear } from '@coffer/local/testing/growth.ts'
import { expressions, expressionsOf } from './expressions.ts'
import { complaints } from './testing/complaints.ts'
import { worstStrings } from './testing/worst-strings.ts'

const root = join(import.meta.dirname, '../..')

/** How processor time grows for the worst text of an expression. */
const worstGrowth = (source: string, flags: string): number =>
  Math.max(
    0,
    ...worstStrings(source, flags).map(make =>
      growth(length => {
        const expression = new RegExp(source, flags)
        const text = make(length)
        return () => void text.match(expression)
      }),
    ),
  )

test('rejects expressions in more than linear time, and those made at run time', async t => {
  const at = (line: string) => complaints(t, expressions, { 'apps/server/src/a.ts': line })
  for (const line of ['/0+$/', '/^(?:a|a)*$/', '/"(?:[^"\\\\]|\\\\.)*"/g', 'text.replace(/\\s*%$/, "")'])
    assert.match((await at(line)).join(), /takes more than linear time/, line)
  assert.match((await at('new RegExp(name)')).join(), /is made at run time/)
  for (const line of ['/(?<!0)0+$/', '/^a*$/', 'const a = 4 / 2 / 1']) assert.deepEqual(await at(line), [], line)
  assert.deepEqual(await complaints(t, expressions, { 'apps/server/src/a.test.ts': '/0+$/' }), [])
})

test('the worst texts show how an expression grows', () => {
  for (const source of ['0+$', '<([^>]+)>', '\\[.*\\]', '=\\((.*)\\) already'])
    assert.ok(worstGrowth(source, '') > linear, source)
})

test('processor time grows with the length of the worst text, for every expression', () => {
  const all = new Map(expressionsOf(root).map(each => [`/${each.source}/${each.flags}`, each]))
  assert.ok(all.size > 250, `${all.size}`)
  for (const [name, { path, source, flags }] of all) {
    // What else runs on the machine can make one measurement wrong, but not three of one expression.
    const isLinear = [1, 2, 3].some(() => worstGrowth(source, flags) < linear)
    assert.ok(isLinear, `${path} ${name}`)
  }
})
