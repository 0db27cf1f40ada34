import { defineSandboxChain, ethereum } from '@coffer/chains'
import { paymentStatus } from '@coffer/contract'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type pg from 'pg'
import { writeChains } from '../../apps/server/src/domains/chains/sync-chains.ts'
import { firstCounts } from '../../apps/server/src/migrations/count-rows.ts'
import { collectedPayments } from '../../apps/server/src/migrations/steps/0052_collected_by.ts'
import { testStart, withDeps } from '../../apps/server/src/testing/deps.ts'
import { addCounts, addMerchants, addPayments, addTraces } from '../../apps/server/src/testing/life.ts'
import { testApplication, testMerchant } from '../../apps/server/src/testing/merchants.ts'

/** Payments of the busy merchant. */
export const payments = 60_000

/** A database with the tables of years, and what statements need to name of it. */
export async function planWorld(scope: Scope) {
  const deps = await withDeps(scope)
  const { owner, pool } = deps
  await writeChains(pool, [
    defineSandboxChain(ethereum, {
      chainId: 31337,
      confirmations: 6,
      blockTime: 1,
      tokens: [{ symbol: 'USDT', contract: `0x${'d'.repeat(40)}`, decimals: 6 }],
    }),
  ])
  const { id } = await testMerchant(deps)
  const appids: string[] = []
  for (let n = 0; n < 10; n++) appids.push((await testApplication(deps, id)).appid)
  await addYears(owner, { id, appids })
  const rare = [{ token_id: 'eth:other' }, { state: 'seen' }, { token_id: 'eth:other', state: 'seen' }]
  await owner.query('vacuum analyze')

  const read = async (text: string) => (await owner.query({ text, rowMode: 'array', values: [id] })).rows
  const [[tradeNo, orderNo, address, appid]] = (await read(
    `select trade_no, out_trade_no, address, appid from payments where merchant_id = $1 and status = ${paymentStatus.paid} limit 1`,
  )) as [[string, string, string, string]]
  const tradeNos = (await read('select trade_no from payments where merchant_id = $1 limit 1000')).flat()
  const open = (
    await read(`select trade_no from payments where merchant_id = $1 and status = ${paymentStatus.open}`)
  ).flat()
  const [[deposit, txid, block]] = (await read(
    'select id, txid, block_number from deposits where merchant_id = $1 limit 1 offset 500',
  )) as [[string, string, number]]
  const [[callback]] = (await read('select id from callbacks where merchant_id = $1 limit 1')) as [[string]]
  const newest = (await read('select max(block_number) from deposits where merchant_id = $1')).flat()[0]

  const linkToken = 'x'.repeat(22)
  await addRareRows(owner, { id, address, appid, deposit, linkToken })
  return {
    owner,
    pool,
    read,
    id,
    rare,
    tradeNo,
    orderNo,
    address,
    appid,
    tradeNos,
    open,
    deposit,
    txid,
    block,
    callback,
    newest,
    linkToken,
  }
}

/** Fills the tables that grow over the years, mostly by one busy merchant. */
async function addYears(owner: pg.Pool, busy: { id: string; appids: string[] }): Promise<void> {
  const { id } = busy
  await addMerchants(owner)
  await addPayments(owner, { busy, payments }, 1)
  await addCounts(owner)
  await addTraces(owner)
  await owner.query(
    `update payments set collected_by = 'clerk ' || right(trade_no, 1) where merchant_id = $1 and trade_no ~ '[37]$'`,
    [id],
  )
  await owner.query(firstCounts(collectedPayments))
  await owner.query(`insert into address_ranges values ('evm', 900000, 900064, ${testStart})`)
  // A merchant with many recharges, of which few, the oldest, are of another token or not credited yet.
  await owner.query(`insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
    from_address, to_address, amount, kind, state, seen_at, gas_read)
    select 'recharged', 'r' || n, 'eth', 'r' || n, case when n < 20 then 'eth:other' else 'eth:USDT' end, 0, n, 'r' || n, n, 0, 'payer', 'r', 1,
      'recharge', case when n between 20 and 40 then 'seen' else 'credited' end, n, true from generate_series(0, 5000) n`)
  await owner.query(`insert into known_addresses select '${id}', 'eth', '0x' || h, n % 50 > 0, left(h, 6), right(h, 6)
    from generate_series(1, 50000) n cross join md5(n::text) h`)
  // What was sent, and a few messages that wait.
  await owner.query(`insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at,
    done_at, result, together, sent_with)
    select 'm' || n, 'shop', '${id}', '${id}', 'payments', 'mail', 'a@example.com', 'payment_paid', '{}', ${testStart} - n, ${testStart} - n,
      case when n > 30 then ${testStart} end, case when n > 30 then 'accepted' else '' end, 'news',
      case when n % 10 <> 5 then 'm' || (n / 10 * 10 + 5) end from generate_series(1, 30000) n`)
  await owner.query(
    `insert into payment_terms select merchant_id, 'p:94.9', created_at, trade_no from payments where merchant_id = '${id}'`,
  )
}

/** Adds the one sweep, and the one payment link, of the merchant. */
async function addRareRows(
  owner: pg.Pool,
  { id, address, appid, deposit, linkToken }: Record<'id' | 'address' | 'appid' | 'deposit' | 'linkToken', string>,
): Promise<void> {
  await owner.query(
    `insert into sweeps (merchant_id, id, chain_id, asset_id, address, key_index, reason, state, weight, created_at, updated_at)
     values ($1, 'swept', 'eth', 'eth:USDT', $2, 1, 'worth', 'sent', 1, 0, 0)`,
    [id, address],
  )
  await owner.query(`update deposits set sweep_id = 'swept' where id = $1`, [deposit])

  await owner.query(
    `insert into payment_links (merchant_id, id, token, appid, title, currency, amount, min_amount, max_amount, once, payments,
       created_at, expires_at) values ($1, 'link', $2, $3, 'Cake', 'USDT', '5', '', '', true, 1, 0, 0)`,
    [id, linkToken, appid],
  )
}

/** What a payment has to which nothing has happened. */
export function emptyUpdate() {
  const numbers = { amount: 1, paid_amount: 0, pending_amount: 0, fees: 0, paid_at: 0, closed_at: 0, events: 4 }
  return { ...numbers, status: 1, exception: 'none', asset_id: 'eth:USDT', chain_id: 'eth', address: '0x1' }
}
