import { paymentStatus } from '@coffer/contract/codes.ts'
import type pg from 'pg'
import { firstCounts } from '../migrations/count-rows.ts'
import { lists } from '../migrations/steps/0007_lists.ts'
import { testStart } from './deps.ts'

const { open, paid, timed_out, closed, refunding, refunded, in_doubt } = paymentStatus

/** Merchants, of which the first has half of the payments and the others fewer and fewer, by a power law. */
const merchants = 200
/** Merchants with ten applications, the first of which has most payments; the others have one application. */
const large = 20
const days = 730
/** Payments of the busiest hour: all of one merchant. */
const busyMost = 200_000
const chunk = 250_000

/** Payments distributed as in life. */
export interface Life {
  busy: { id: string; appids: string[] }
  payments: number
}

/** Number of payments in the busiest hour, and its start. */
export function busyHourOf(payments: number): { count: number; start: number } {
  const middle = testStart - (days / 2) * 86_400
  return { count: Math.min(busyMost, Math.floor(payments / 5)), start: middle - (middle % 3_600) }
}

/** Adds merchants o1, o2, ... with their applications app_o1_0, app_o1_1, ... */
export async function addMerchants(owner: pg.Pool): Promise<void> {
  await owner.query(
    `with shop as (
       insert into merchants (id, mchid, status, created_at)
       select 'o' || n, 'O' || n, 3, 0 from generate_series(1, ${merchants - 1}) n returning id)
     insert into persons (id, realm, email, created_at) select id, 'shop', id || '@example.com', 0 from shop`,
  )
  await owner.query(
    `insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
     select 'o' || n, 'app_o' || n || '_' || a, 'Shop ' || a, 1, sha256((n || '/' || a)::bytea), '', '', 0
     from generate_series(1, ${merchants - 1}) n, generate_series(0, case when n < ${large} then 9 else 0 end) a`,
  )
}

/** A number from 0 to below 1 that depends on `n` only. */
const random = (seed: number) => `((hashint8extended(n, ${seed}) & 1048575) / 1048576.0::float8)`
const credited = `status in (${paid}, ${refunding}, ${refunded})`

/**
 * Inserts two years of payments with their deposits: more each evening, an hour of one merchant's sale, hardly any
 * open. The indexes that are no constraints are built afterwards, which is faster.
 */
export async function addPayments(owner: pg.Pool, { busy, payments }: Life, writers: number): Promise<void> {
  const { rows: indexes } = await owner.query(
    `select indexname, indexdef from pg_indexes where tablename in ('payments', 'deposits')
     and indexname not in (select conname from pg_constraint)`,
  )
  for (const { indexname } of indexes) await owner.query(`drop index ${indexname}`)
  let next = 0
  const write = async () => {
    for (let from = next; from < payments; from = next) {
      next += chunk
      await owner.query(paymentsText(busy, payments, from, Math.min(from + chunk, payments) - 1))
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  await Promise.all(indexes.map(({ indexdef }) => owner.query(indexdef)))
}

function paymentsText({ id, appids }: Life['busy'], payments: number, from: number, to: number): string {
  const busy = busyHourOf(payments)
  const first = Math.floor(payments / 2)
  const inSale = `n >= ${first} and n < ${first + busy.count}`
  const evenly = `${testStart - days * 86_400} + n * ${(days * 86_400) / payments}::float8`
  return `with numbered as (
      select n, ${inSale} as sale, case when ${inSale} or ${random(1)} < 0.5 then 0 else floor(power(${merchants}, ${random(2)}))::int end as m,
        ${evenly} as even, (hashint8extended(n, 3) & 1048575) % 1000 as luck
      from generate_series(${from}::bigint, ${to}) n
    ), placed as (
      select *, case when m < ${large} then floor(10 * power(${random(4)}, 2))::int else 0 end as a,
        case when sale then ${busy.start} + (n - ${first}) * 3600 / ${busy.count}
          else (floor(even / 86400) * 86400 + floor(86400 * sqrt((even - floor(even / 86400) * 86400) / 86400)))::bigint end as t
      from numbered
    ), made as (
      select *, case when m = 0 then '${id}' else 'o' || m end as merchant_id,
        case when m = 0 then ('{${appids.join(',')}}'::text[])[1 + a] else 'app_o' || m || '_' || a end as appid,
        to_char(to_timestamp(t) at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(n::text, 18, '0') as trade_no,
        case when n >= ${Math.floor(payments * 0.999)} then ${open} when luck < 800 then ${paid} when luck < 960 then ${timed_out}
          when luck < 989 then ${closed} when luck < 994 then ${refunded} when luck < 999 then ${refunding} else ${in_doubt} end as status,
        1000000 + (luck * 7919) % 99000000 as usdt,
        '0x' || left(encode(sha256((m || '/' || n % case when m = 0 then 5000 else 50 end)::bytea), 'hex'), 40) as address
      from placed
    ), paid as (
      insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
        from_address, to_address, amount, counted, usdt_amount, fee, gas, gas_read, trade_no, kind, state, seen_at, credited_at)
      select merchant_id, 'd' || n, 'eth', '0x' || encode(sha256(n::text::bytea), 'hex'), 'eth:USDT', 0, n, '0x' || n, t, 0,
        '0x' || left(encode(sha256(('payer' || n)::bytea), 'hex'), 40), address, usdt, usdt, usdt * 1000000000000::numeric,
        usdt / 250, 0, true, trade_no, 'payment', case when ${credited} then 'credited' else 'seen' end, t + 90,
        case when ${credited} then t + 120 else 0 end
      from made where ${credited} or status = ${open} and luck >= 500
    )
    insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, token_rates, asset_id,
      chain_id, address, amount, paid_amount, pending_amount, fees, tolerance_permille, mixed_payment, created_at, expire_at,
      paid_at, events)
    select merchant_id, trade_no, appid, 'order-' || n, sha256(n::text::bytea), status, usdt,
      '{"USDT": {"price": "1", "source": "a,b", "time": 1}}', 'eth:USDT', 'eth', address, usdt,
      case when ${credited} then usdt else 0 end, case when status = ${open} and luck >= 500 then usdt else 0 end,
      case when ${credited} then usdt / 250 else 0 end, 0, true, t,
      case when status = ${open} then ${testStart} else t end + 1800, case when ${credited} then t + 120 else 0 end, 3
    from made`
}

/** Inserts all counts and statistics as `foldStatistics` keeps them. All merchants use UTC. */
export async function addCounts(owner: pg.Pool): Promise<void> {
  const counted = Object.values(paymentStatus).map(status => `n${status}`)
  await owner.query(
    `insert into payment_counts (merchant_id, span, slot, appid, ${counted.join(', ')})
     select merchant_id, 60, created_at - created_at % 60, appid,
       ${Object.values(paymentStatus)
         .map(status => `count(*) filter (where status = ${status})`)
         .join(', ')}
     from payments group by 1, 3, 4 order by 1, 3, 4`,
  )
  for (const [from, span] of [
    [60, 3_600],
    [3_600, 86_400],
    [86_400, 2_592_000],
  ])
    await owner.query(
      `insert into payment_counts (merchant_id, span, slot, appid, ${counted.join(', ')})
       select merchant_id, ${span}, slot - slot % ${span}, appid, ${counted.map(name => `sum(${name})`).join(', ')}
       from payment_counts where span = ${from} group by 1, 3, 4 order by 1, 3, 4`,
    )
  await owner.query(
    `insert into statistics (merchant_id, span, slot, appid, asset_id, created_num, paid_num, volume_usdt, income_usdt,
       refund_usdt, withdrawn_usdt, volume)
     select merchant_id, 'quarter', slot, appid, asset_id, sum(created), sum(paid), sum(usdt) * 1000000000000::numeric, sum(usdt - fees) * 1000000000000::numeric, 0, 0, sum(usdt)
     from (
       select merchant_id, created_at - created_at % 900 as slot, appid, '' as asset_id, 1 as created, 0 as paid, 0 as usdt, 0 as fees from payments
       union all
       select merchant_id, paid_at - paid_at % 900, appid, asset_id, 0, 1, paid_amount, fees from payments where paid_at > 0
     ) events group by 1, 3, 4, 5 order by 3, 1, 4, 5`,
  )
  for (const [span, slot] of [
    ['day', 'slot - slot % 86400'],
    ['all', '0'],
  ])
    await owner.query(
      `insert into statistics select merchant_id, '${span}', ${slot}, appid, asset_id, sum(created_num), sum(paid_num), sum(volume_usdt),
         sum(income_usdt), sum(refund_usdt), sum(withdrawn_usdt), sum(volume)
       from statistics where span = 'quarter' group by 1, 3, 4, 5 order by 3, 1, 4, 5`,
    )
  await owner.query(`insert into statistics_zones select id, 'UTC' from merchants`)
}

/**
 * Inserts what the payments left behind: leases, history, terms, callbacks, notifications and postings, with the counts
 * of their lists.
 */
export async function addTraces(owner: pg.Pool): Promise<void> {
  const traces = [
    `insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, trade_no, created_at, leased_for)
     select 'evm', address, row_number() over (), min(merchant_id), 'lease', max(trade_no), min(created_at), 'token'
     from payments group by address`,
    `insert into address_leases (chain_kind, address, since, merchant_id, trade_no)
     select 'evm', address, created_at, merchant_id, trade_no from payments on conflict do nothing`,
    `insert into payment_history (merchant_id, trade_no, seq, status, exception, event, created_at)
     select merchant_id, trade_no, 1, ${open}, 'none', 'created', created_at from payments`,
    `insert into payment_terms (merchant_id, term, created_at, trade_no)
     select merchant_id, unnest(array['w:' || out_trade_no, 'w:item' || created_at % 1000, 'm:' || created_at % 5000]), created_at, trade_no
     from payments`,
    `insert into callbacks (merchant_id, id, appid, trade_no, event, seq, url, body, status, next_at, created_at)
     select merchant_id, 'c' || trade_no || e, appid, trade_no, case e when 1 then 'payment.seen' else 'payment.paid' end, e + 2,
       'https://shop.example/hook', '{}', case when p.status = ${open} then 1 when right(trade_no, 2) = '77' then 4 else 2 end,
       case when p.status = ${open} then ${testStart} end, created_at + 60 * e
     from payments p, generate_series(1, 2) e where p.paid_at > 0 or p.pending_amount > 0`,
    `insert into callback_attempts (merchant_id, callback_id, id, http_status, result, answer, duration_ms, manual, created_at)
     select merchant_id, id, 'a' || id, 200, '', '', 30, false, created_at from callbacks where next_at is null`,
    `insert into notifications (merchant_id, id, types, message, status, created_at)
     select merchant_id, 'n' || trade_no, 1 + created_at % 5, 'payment_paid', case when right(trade_no, 2) = '77' then 2 else 1 end, created_at
     from payments where paid_at > 0`,
    `insert into ledger_accounts (id, merchant_id, part, asset_id, balance)
     select 'house/' || part || '/eth:USDT', null, part, 'eth:USDT', null from unnest(array['chain', 'fees']) part
     union all
     select merchant_id || '/available/eth:USDT', merchant_id, 'available', 'eth:USDT', sum(amount - fee)
     from deposits where state = 'credited' group by merchant_id`,
    `insert into ledger_groups (id, source, body_hash, memo, created_at)
     select 'g' || id, 'deposit:' || id, '', '{}', credited_at from deposits where state = 'credited'`,
    `insert into ledger_postings (merchant_id, id, group_id, place, kind, asset_id, debit_account, credit_account, amount,
       debit_after, credit_after, created_at)
     select merchant_id, 'p' || id || '/0', 'g' || id, 0, 'deposit', asset_id, 'house/chain/' || asset_id,
       merchant_id || '/available/' || asset_id, amount, null, amount, credited_at from deposits where state = 'credited'
     union all
     select merchant_id, 'p' || id || '/1', 'g' || id, 1, 'fee', asset_id, merchant_id || '/available/' || asset_id,
       'house/fees/' || asset_id, greatest(fee, 1), 0, null, credited_at from deposits where state = 'credited'`,
    `insert into incidents (id, kind, detail, created_at, resolved_at) select n, 'own_transfer', '{}', n, n from generate_series(1, 9999) n`,
    `insert into messages (id, realm, person_id, audience, channel, address, event, params, created_at, due_at, done_at, result)
     select 'alert ' || n, 'console', 'r', '', 'mail', 'r', 'alert_incident', jsonb_build_object('subject', 'incident ' || n, 'object', n),
       ${testStart} - n, ${testStart} - n, ${testStart} - n, 'accepted' from generate_series(1, 9999) n`,
    `insert into ledger_checkpoints (asset_id, before, chain)
     select asset_id, ${testStart - 7_200}, -sum(amount) from ledger_postings
     where place = 0 and created_at < ${testStart - 7_200} group by asset_id`,
  ]
  const c = await owner.connect()
  try {
    // Triggers would count each row on its own.
    await c.query('set session_replication_role = replica')
    for (const text of [...traces, ...lists.map(firstCounts)]) await c.query(text)
  } finally {
    c.release(true)
  }
}
