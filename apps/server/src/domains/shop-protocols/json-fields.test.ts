import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growth, linear } from '@coffer/local/testing/growth.ts'
import type { FastifyRequest } from 'fastify'
import { jsonFields, shortest } from './json-fields.ts'

const read = (body: string) => () => {
  try {
    jsonFields({ body: Buffer.from(body) } as FastifyRequest)
  } catch {
    // Most of them are refused; what counts is how long it takes.
  }
}

test('reads hostile JSON in time that grows with its length', () => {
  const hostile: Record<string, (length: number) => string> = {
    'zeros inside a number': length => `{"amount":1.${'0'.repeat(length)}1}`,
    'zeros at the end of a number': length => `{"amount":1.${'0'.repeat(length)}}`,
    'digits without a point': length => `{"amount":1${'0'.repeat(length)}1}`,
    'many such numbers': length => `{"x":[${`1.${'0'.repeat(38)}1,`.repeat(length / 40)}1]}`,
    'escaped quotation marks': length => `{"${'\\"'.repeat(length / 2)}":1}`,
    'many names': length => `{${Array.from({ length: length / 10 }, (_, at) => `"a${at}":1`).join(',')}}`,
    nested: length => '['.repeat(length),
  }
  for (const [what, body] of Object.entries(hostile)) {
    const grown = growth(length => read(body(length)))
    assert.ok(grown < linear, `${what}: ${grown.toFixed(1)}`)
  }
})

test('drops needless zeros at the end of a decimal number', () => {
  for (const [number, expected] of [
    ['10.0', '10'],
    ['1.500', '1.5'],
    ['100', '100'],
    ['100.010', '100.01'],
    ['0.00', '0'],
    ['-1.20', '-1.2'],
  ] as const)
    assert.equal(shortest(number), expected)
})
