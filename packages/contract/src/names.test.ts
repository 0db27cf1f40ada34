import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ZodObject, ZodType } from 'zod'
import { operatorRoutes } from './operator/index.ts'
import { routes } from './routes.ts'

/** What stands in lists, subjects and messages, beside what others and we wrote. */
const names = ['name', 'title', 'theme', 'label', 'beneficiary']

test('no name has line breaks: it cannot look like another row, line or message', () => {
  const found: string[] = []
  for (const [call, { body }] of Object.entries({ ...routes, ...operatorRoutes } as Record<string, { body?: ZodType }>))
    for (const [field, schema] of Object.entries((body as ZodObject | undefined)?.shape ?? {})) {
      if (!names.includes(field)) continue
      found.push(`${call} ${field}`)
      for (const text of ['Tea\nshop', 'Tea\r\nshop', 'Tea\u2028shop', 'Tea\tshop'])
        assert.ok(!(schema as ZodType).safeParse(text).success, `${call} takes ${JSON.stringify(text)} as its ${field}`)
    }
  assert.ok(found.length >= 10, found.join())
})
