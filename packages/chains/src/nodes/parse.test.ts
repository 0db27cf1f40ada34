import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFull, volume } from '@coffer/local/testing/full.ts'
import { createSeededRandom } from '../fake/random.ts'
import { maxParseCharsPerTurn, parseNodeAnswer } from './parse.ts'

const filler = 'f'.repeat(60)
const many = (length: number) => Array.from({ length: Math.ceil(length / 80) }, (_, i) => ({ i, filler }))

test('a long answer is parsed as a short one is', async t => {
  const blocks = [
    many(3 * maxParseCharsPerTurn),
    [],
    {},
    many(maxParseCharsPerTurn / 2),
    [[many(2 * maxParseCharsPerTurn)]],
    null,
  ]
  const answers = [
    blocks,
    { result: blocks, id: 1 },
    [{ id: 0, result: { transactions: blocks, hash: '0x1' } }, { id: 1, result: blocks[0] }, 7, 'text, with "[{ \\'],
    { '"k\\': blocks, __proto__x: [], 'a,b': { c: many(2 * maxParseCharsPerTurn) } },
    { result: 'x'.repeat(4 * maxParseCharsPerTurn), id: 'y\\"'.repeat(maxParseCharsPerTurn) },
    ['x'.repeat(4 * maxParseCharsPerTurn), 'y'.repeat(4 * maxParseCharsPerTurn), 1],
  ]
  for (const [at, answer] of answers.entries())
    for (const indent of isFull() || at % 2 === 1 ? [0, 2] : [0]) {
      const text = JSON.stringify(answer, null, indent)
      const parsed = t.mock.method(JSON, 'parse')
      assert.deepEqual(await parseNodeAnswer(200, `\n${text} `), answer)
      const longest = parsed.mock.calls.map(call => String(call.arguments[0])).filter(each => !/xxx|yyy|y\\/.test(each))
      assert.ok(longest.length === 0 || Math.max(...longest.map(each => each.length)) <= maxParseCharsPerTurn + 2)
      parsed.mock.restore()
    }
  const own = Object.getOwnPropertyNames(await parseNodeAnswer(200, `{"__proto__":${JSON.stringify(blocks)}}`))
  assert.deepEqual(own, ['__proto__'])
})

test('a text that is no JSON is refused wherever it is broken', async () => {
  const text = JSON.stringify({
    id: 0,
    result: { transactions: many(3 * maxParseCharsPerTurn), of: [many(2 * maxParseCharsPerTurn)] },
  })
  const random = createSeededRandom(1)
  let refused = 0
  // Each way to break it at each of both kinds of places, or more often.
  const times = volume(24, 60)
  for (let i = 0; i < times; i++) {
    const place = random.below(text.length)
    const at = i % 2 === 0 ? text.slice(0, place).search(/[[\]{},:"][^[\]{},:"]*$/) : place
    const broken = text.slice(0, at) + ',]}[{:"x'[i % 8]! + text.slice(at + (i % 3))
    const wanted = parsedOrNone(broken)
    const found = await parseNodeAnswer(200, broken).catch(() => undefined)
    if (wanted === undefined) refused++
    assert.deepEqual(found, wanted, `${i} at ${at}`)
  }
  assert.ok(refused > times / 3, `${refused} were broken`)
  for (const more of [
    `${text}1`,
    `${text}${text}`,
    `1${text}`,
    text.slice(0, -1),
    `[${text},]`,
    `[,${text}]`,
    `[1${text}]`,
    `{${text}}`,
  ])
    await assert.rejects(parseNodeAnswer(200, more), /not JSON/)
})

function parsedOrNone(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

test('a long answer is parsed with pauses', async () => {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const text = JSON.stringify(many(20 * maxParseCharsPerTurn))
  await parseNodeAnswer(200, text)
  isDone = true
  assert.ok(turns >= text.length / maxParseCharsPerTurn, `${turns} turns`)
})

test('keys that differ more than those of any true answer are a fault of the node', async t => {
  const keys = Array.from({ length: 30_000 }, (_, i) => `"${String(i).padStart(12, '0')}":0`)
  const few = (from: number) => keys.slice(from, from + 40).toSorted(() => random.below(3) - 1)
  const random = createSeededRandom(1)
  const texts = {
    'one object': `{${keys.join()}}`,
    'many objects': `[${keys.map((_, i) => `{${few(40 * (i % 700)).join()}}`).join()}]`,
    'the same keys in many orders': `[${keys.map(() => `{${few(0).join()}}`).join()}]`,
  }
  const parsed = t.mock.method(JSON, 'parse')
  for (const [name, text] of Object.entries(texts))
    await assert.rejects(parseNodeAnswer(200, text), { name: 'OversizedAnswer', message: /more shapes/ }, name)
  await assert.rejects(parseNodeAnswer(200, `${'['.repeat(300)}${keys.join()}`), { name: 'OversizedAnswer' })
  assert.equal(parsed.mock.callCount(), 0)
})
