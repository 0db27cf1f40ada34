import { addMerchants } from '@coffer/server/testing/life.ts'
import type pg from 'pg'

const chunk = 500_000

/** Writes payments without triggers, and builds the indexes that are no constraints afterwards. */
export async function fillPayments(owner: pg.Pool, payments: number): Promise<void> {
  const { rows } = await owner.query('select exists (select from payments) as filled')
  if (rows[0].filled) return
  await addMerchants(owner)
  const { rows: indexes } = await owner.query(
    `select indexname, indexdef from pg_indexes where tablename = 'payments'
     and indexname not in (select conname from pg_constraint)`,
  )
  for (const { indexname } of indexes) await owner.query(`drop index ${indexname}`)
  const client = await owner.connect()
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '1GB'`)
    for (let from = 0; from < payments; from += chunk) {
      const to = Math.min(from + chunk, payments) - 1
      await client.query(paymentsOf(`generate_series(${from}::bigint, ${to}) n`))
    }
    for (const { indexdef } of indexes) await client.query(indexdef)
    await client.query('vacuum analyze payments')
  } finally {
    client.release()
  }
}

const tradeNo = `lpad(n::text, 32, '0')`
/** Statement that writes payments of numbers: `n` of a table expression. */
export const paymentsOf = (numbers: string) => `
  insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, token_rates, asset_id,
    chain_id, address, amount, paid_amount, pending_amount, fees, tolerance_permille, mixed_payment, created_at, expire_at,
    paid_at, events)
  select 'o' || 1 + n % 199, ${tradeNo}, 'app_o' || 1 + n % 199 || '_0', 'order-' || n, sha256(n::text::bytea), 2, 10000000,
    '{"USDT": {"price": "1", "source": "a,b", "time": 1}}', 'eth:USDT', 'eth',
    '0x' || left(encode(sha256((n % 1000000)::text::bytea), 'hex'), 40), 10000000, 10000000, 0, 40000, 0, true,
    1600000000 + n * 5, 1600001800 + n * 5, 1600000120 + n * 5, 3
  from ${numbers}`
