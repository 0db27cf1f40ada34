import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from './parsed.ts'
import { denseIn } from './plain-code.ts'

const lines = (count: number) => 'a()\n'.repeat(count)

/** Code, and the complaint about it, or undefined when it is plain. */
const table: [string, RegExp | undefined][] = [
  ['const a = { ...{ b: 1, c: 2 }, d: 3 }', /^a\.ts:1 spreads a literal/],
  ['f({ a,\n  ...{ b } })', /^a\.ts:2 spreads a literal/],
  ['const a = [...[1, 2], 3]', /spreads a literal/],
  ['f(...[1, 2])', /spreads a literal/],
  ['const a = { ...(b && { c: 1 }), ...d, ...f() }', undefined],
  ['const [a, b] = [1, 2]', /one tuple/],
  ['let [a, b]: number[] = [1, 2]', /one tuple/],
  [';[a, b] = [1, 2]', /one tuple/],
  ['const [a, b] = await Promise.all([f(), g()])', undefined],
  [`a()\n/**\n * ${'word '.repeat(24)}\n */\nb()`, /^a\.ts:3 .*more than 120/],
  [`a() // ${'word '.repeat(24)}`, /^a\.ts:1 .*more than 120/],
  [`// ${'word '.repeat(23)}\na()`, undefined],
  [`b()\nfunction f() {\n${lines(69)}}`, /^a\.ts:2 has a function of 71 lines/],
  [`function f() {\n${lines(68)}}`, undefined],
  [`const f = async () => {\n${lines(69)}}`, /71 lines/],
  [`const f = () =>\n  g(\n${'a,\n'.repeat(69)})`, /lines/],
  [`class C {\n  m() {\n${lines(69)}}\n}`, /^a\.ts:2 .*71 lines/],
  [`class C {\n  m = () => {\n${lines(69)}}\n}`, /71 lines/],
  [`class C {\n  get m() {\n${lines(69)}}\n}`, /71 lines/],
  [`const o = {\n  m() {\n${lines(69)}}\n}`, /71 lines/],
  [`test('a', async t => {\n${lines(69)}})`, /71 lines/],
  [`describe('a', () => {\n${lines(99)}})`, undefined],
  [`function f() {\n  suite('a', () => {\n${lines(99)}})\n}`, undefined],
  [`suite('a', () => {\n  test('b', () => {\n${lines(69)}})\n})`, /^a\.ts:2 .*71 lines/],
  ['const [a = 1] = list', undefined],
  ['const [a, ...b] = [...list, 2]', undefined],
]

for (const [code, complaint] of table)
  test(`${code.replaceAll('\n', ' ').slice(0, 80)} ${complaint ? 'is refused' : 'is plain'}`, () => {
    const found = denseIn('a.ts', parse('a.ts', code))
    if (complaint) assert.match(found.join('\n'), complaint)
    else assert.deepEqual(found, [])
  })
