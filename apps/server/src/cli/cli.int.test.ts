import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { merchantStatus } from '@coffer/contract/codes.ts'
import { merchantById } from '../store/merchants.ts'
import { withDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))

const coffer = (url: string, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>(resolve => {
    const env = { ...process.env, DATABASE_URL: url, COFFER_MODE: 'sandbox' }
    execFile(process.execPath, [cli, ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })

test('the operator lists, approves, refuses and freezes', async t => {
  const deps = await withDeps(t)
  const { id, mchid, email } = await testMerchant(deps, { status: merchantStatus.primaryAudit })
  const status = async () => (await merchantById(deps.pool, id))?.status

  const listed = await coffer(deps.url, 'merchant', 'list')
  assert.equal(listed.code, 0)
  assert.match(listed.out, new RegExp(`${mchid}\\s+primary audit\\s+Test merchant\\s+${email}`))

  const silent = await coffer(deps.url, 'merchant', 'refuse', mchid)
  assert.deepEqual([silent.code, await status()], [1, merchantStatus.primaryAudit])
  assert.match(silent.err, /needs a reason/)

  assert.equal((await coffer(deps.url, 'merchant', 'refuse', mchid, 'No website')).code, 0)
  assert.equal(await status(), merchantStatus.failedAudit)
  assert.equal((await coffer(deps.url, 'merchant', 'approve', mchid)).code, 0)
  assert.equal(await status(), merchantStatus.approved)
  assert.equal((await coffer(deps.url, 'merchant', 'freeze', mchid)).code, 0)
  assert.equal((await merchantById(deps.pool, id))?.frozen, true)
  assert.match((await coffer(deps.url, 'merchant', 'list')).out, /frozen/)
})

test('chains, books, and what is not there', async t => {
  const { url } = await withDeps(t)
  assert.match((await coffer(url, 'chain', 'status')).out, /^CHAIN/)
  assert.match((await coffer(url, 'ledger', 'check')).out, /The books hold/)
  const unknown = await coffer(url, 'merchant', 'approve', 'M0')
  assert.deepEqual(
    [unknown.code, unknown.err],
    [1, 'coffer: there is no merchant "M0": npm run coffer -- merchant list shows their ids\n'],
  )
  assert.equal((await coffer(url, 'merchant', 'sell')).code, 2)
  const nowhere = await coffer('postgresql://127.0.0.1:1/none', 'merchant', 'list')
  assert.deepEqual(
    [nowhere.code, nowhere.err],
    [1, 'coffer: the database does not answer: start Coffer first, or set DATABASE_URL\n'],
  )
})
