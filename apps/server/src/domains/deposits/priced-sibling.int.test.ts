import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridgedWorld, listedBridged } from '../../testing/bridged-world.ts'
import { call } from '../../testing/call.ts'
import { payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { formatUtcMonth, readInvoiceLines } from '../billing/bill.ts'
import { writeChains } from '../chains/sync-chains.ts'
import { readDepositValue, readMerchantValue, readTokenReleaseImpact, readWalletValue } from '../console/stakes.ts'
import { readLiquidity } from '../console/today.ts'
import { fundFlowHandlers } from '../fund-flow/routes.ts'
import { readAccountClosingObstacles } from '../onboarding/close-account.ts'
import { statisticsHandlers } from '../statistics/routes.ts'
import { readSweepStatus } from '../sweeps/store.ts'
import { listSettings } from '../withdrawals/settings.ts'
import { creditSiblingDeposit } from './decide-sibling.ts'

/** What 4.98 USDC.e are worth at 0.5 USDT, in USDT with 18 decimals and as text. */
const worth = 2_490_000_000_000_000_000n
const text = '2.49'

/** A merchant with 4.98 USDC.e, whose price is that of USDC: 0.5. */
async function holding(t: Parameters<typeof bridgedWorld>[0]) {
  const w = await bridgedWorld(t)
  const now = w.deps.clock()
  await w.owner.query(
    `insert into prices (symbol, source, price, at) values ('USDT', 'x', '1', $1), ('USDC', 'x', '0.5', $1)`,
    [now],
  )
  await w.owner.query(`insert into price_history values ('USDT', $1, '1', 'x'), ('USDC', $1, '0.5', 'x')`, [now - 60])
  return w
}

for (const isListed of [false, true])
  test(`every limit and total values a bridged token by that for which it stands, ${isListed ? '' : 'not '}listed`, async t => {
    const w = await holding(t)
    const { deps, merchant } = w
    assert.equal((await readDepositValue(deps, w.id)).value, worth + 10_000_000_000_000_000n, 'before it is decided')
    assert.equal((await readTokenReleaseImpact(deps, 'eth:USDC.e')).value, worth + 10_000_000_000_000_000n)
    await creditSiblingDeposit(deps, { depositId: w.id })
    if (isListed) await writeChains(deps.pool, [listedBridged])
    assert.equal(await w.balance('eth:USDC.e'), '4980000')
    assert.equal((await readMerchantValue(deps, merchant.id)).value, worth, 'what takes two people')
    assert.equal((await readWalletValue(deps, 'eth')).value, worth)
    const assets = await call(statisticsHandlers, 'GET /api/v1/statistics/assets', deps, merchant.id)
    assert.deepEqual([assets.total_value, assets.list.map(each => each.usdt_balance)], [text, [text]])
    const overview = await call(statisticsHandlers, 'GET /api/v1/statistics/overview', deps, merchant.id)
    assert.deepEqual([overview.operable_balance, overview.total_assets], [text, text])
    const lines = await readInvoiceLines(deps.pool, merchant.id, formatUtcMonth(deps.clock()), 'USD')
    assert.deepEqual(
      lines.map(each => [each.token, each.value]),
      [['USDC.e', '0.01']],
    )
    const flow = await call(fundFlowHandlers, 'GET /api/v1/account/stream', deps, merchant.id)
    assert.deepEqual(
      flow.list.map(each => each.value?.rate),
      ['0.5', '0.5'],
    )
    await assertBooksAgree(w.owner)
  })

test('a bridged token that is too small to be withdrawn does not keep an account open', async t => {
  const w = await holding(t)
  await creditSiblingDeposit(w.deps, { depositId: w.id })
  assert.deepEqual((await readAccountClosingObstacles(w.deps, w.merchant.id)).dust, [])
  const account = `${w.merchant.id}/available/eth:USDC.e`
  await w.owner.query('update ledger_accounts set balance = 10000 where id = $1', [account])
  const { dust } = await readAccountClosingObstacles(w.deps, w.merchant.id)
  assert.deepEqual(dust, [{ token: 'USDC.e', chain: 'Ethereum', amount: '0.01' }])
})

test('a bridged token stands beside accepted ones for operators and its merchant once it was credited', async t => {
  const w = await holding(t)
  const { deps, merchant } = w
  await w.owner.query(
    `insert into wallets (chain_id, address, role, next_nonce, created_at) values ('eth', $1, 'hot', 0, 0)`,
    [payer],
  )
  const liquidity = async () =>
    (await readLiquidity({ ...deps, chains: new Map() }, [])).list.find(each => each.token === 'USDC.e')
  const sweeps = async () => (await readSweepStatus(deps.pool, 0)).find(each => each.symbol === 'USDC.e')
  const setting = async () => (await listSettings(deps.pool, merchant.id)).find(each => each.symbol === 'USDC.e')
  assert.deepEqual([await liquidity(), await sweeps(), await setting()], [undefined, undefined, undefined])
  await creditSiblingDeposit(deps, { depositId: w.id })
  assert.equal((await liquidity())?.owed, '4.98')
  assert.equal((await sweeps())?.unswept, 5_000_000n)
  assert.equal((await setting())?.automatic, true)
})
