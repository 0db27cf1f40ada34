import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@coffer/contract'
import type { z } from 'zod'
import { lists } from './lists.ts'

const hostile = [
  '0',
  '1',
  '2',
  '7',
  '8',
  '-1',
  '1.5',
  '1e1',
  '00',
  ' 1',
  '1 ',
  '٣',
  'NaN',
  'Infinity',
  'true',
  'null',
  'undefined',
  'a',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(128),
  'x'.repeat(129),
  ' ',
  '\t',
  '\n',
  'a\nb',
  'a\u0000b',
  'a\u0007b',
  'a\u202eb',
  '\u2066',
  '\ud800',
  'é',
  '中文',
  '💰',
  "' or 1=1 --",
  '<b>',
  '%00',
  '../..',
  'available',
  'held',
  'in',
  'out',
  'seen',
  'credited',
  'gas',
  'paid',
  'payment',
  'payment.paid',
  'partial',
  'none',
  'own',
  '20261121000000000000000000000042',
  '2026112100000000000000000000004',
  '202611210000000000000000000000420',
  `${'0'.repeat(31)}x`,
  'a'.repeat(64),
  `0x${'a'.repeat(64)}`,
  `0x${'g'.repeat(64)}`,
  '0x',
  'key=value',
  '=value',
  'key=',
  `${'k'.repeat(65)}=1`,
  `k=${'v'.repeat(998)}`,
  `k=${'v'.repeat(999)}`,
  'constructor',
  '__proto__',
  'toString',
]

for (const [list, { call, rules }] of Object.entries(lists)) {
  const query = (routes[call as keyof typeof routes] as unknown as { query: z.ZodObject }).query
  test(`${list}: the URL and the call agree about every filter`, () => {
    for (const [name, rule] of Object.entries(rules) as [
      string,
      (typeof lists)['payments']['rules']['text'] & Extra,
    ][]) {
      const param = rule.param === undefined ? name : rule.param
      if (param === null || param === 'start_time' || param === 'end_time') continue
      assert.ok(Object.hasOwn(query.shape, param), `${name} is a filter of ${call}`)
      for (const text of [...hostile, ...(rule.values ?? [])]) {
        const accepted = query.safeParse({ [param]: text }).success
        if (rule(text)) assert.ok(accepted, `${name}=${text} of the URL is refused by ${call}`)
        // A choice may offer fewer values than the call takes, and a filter that is not offered takes none.
        else if (!rule.values && rule.name !== 'isUnofferedFilter')
          assert.ok(!accepted, `${name}=${text} is taken by ${call}, but not from the URL`)
      }
    }
  })
}

interface Extra {
  param?: string | null
  values?: readonly string[]
}
