import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertWallet } from '../domains/outgoing/store.ts'
import { type TestDeps, withDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'
import { findCommand, runCommand } from './run.ts'

const check = async (deps: TestDeps) => {
  const { code, text } = await runCommand(deps, findCommand(['ledger', 'check'])!)
  return `${code} ${text}`
}

test('tells a consistent ledger from a broken one', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const consistent = '0 The ledger is consistent, and no difference between ledger and chain is open.'
  assert.equal(await check(deps), consistent)
  await deps.owner.query(`insert into chains (id, kind, definition) values ('c', 'evm', '{}')`)
  await deps.owner.query(`insert into assets (id, chain_id, symbol, decimals) values ('u', 'c', 'USDT', 6)`)
  await insertWallet(deps.owner, 'c', '0x01', 'evm', 'hot', null, 0, deps.clock())
  const silent = await check(deps)
  assert.match(
    silent,
    /^1 The ledger itself is consistent, but wallets did not answer, .* differ: c USDT\.\n\n.*no answer/s,
  )
  assert.doesNotMatch(silent, /no difference/)
  const account = `insert into ledger_accounts (id, merchant_id, part, asset_id, balance) values ($1, $2, 'available', 'u', 7)`
  await deps.owner.query(account, [`${id}/available/u`, id])
  assert.match(await check(deps), /^1 Violated: a balance equals the sum of its postings\n {2}\w+: /)
})
