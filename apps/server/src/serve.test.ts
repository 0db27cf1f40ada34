import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

test('a start loads no library that only some calls need', async () => {
  const loaded: string[] = []
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  await import('./serve.ts')
  assert.ok(loaded.some(url => url.endsWith('/serve.ts')))
  assert.deepEqual(
    loaded.filter(url => /\/node_modules\/(viem|ox|abitype)\//.test(url)),
    [],
  )
})
