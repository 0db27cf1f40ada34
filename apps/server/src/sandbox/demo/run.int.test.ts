import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '@coffer/local/problem.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import { readConfig } from '../../config.ts'
import { runDemo } from './run.ts'

test('refuses a sandbox that was started before, whose chains already have current blocks', async t => {
  const data = mkdtempSync(join(tmpdir(), 'coffer-demo-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const [database, first, second] = await Promise.all([withPostgres(t), withAnvil(t), withAnvil(t, { chainId: 31338 })])
  process.env.COFFER_SANDBOX_CHAINS = `${first.url},${second.url}`
  const config = readConfig({ DATABASE_URL: database.url, COFFER_DATA: data })
  await assert.rejects(
    runDemo(config, () => assert.fail('the demo started')),
    error => error instanceof Problem && /has been started before/.test(error.message),
  )
})
