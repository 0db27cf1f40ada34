import assert from 'node:assert/strict'
import { paymentStatus } from '@coffer/contract'
import type pg from 'pg'
import { checkLedger } from '../domains/ledger/check-ledger.ts'

const { open, paid, dropped } = paymentStatus

/** Invariants of counts and statistics, each with a query that returns violations. */
const figureLaws: [law: string, broken: string][] = [
  [
    'list counts match the payments',
    `select * from (
       select merchant_id, appid, status, sum(n) as n from (
         select merchant_id, appid, status, n from payment_counts
         cross join lateral (values ${Object.values(paymentStatus).map(n => `(${n}, n${n})`)}) v (status, n)
         where span = 60
         union all select merchant_id, appid, status_to, moved from statistics_changes where status_to is not null
         union all select merchant_id, appid, status_from, -moved from statistics_changes where status_from is not null
       ) c group by merchant_id, appid, status having sum(n) <> 0
     ) c full join (select merchant_id, appid, status, count(*) as n from payments group by merchant_id, appid, status) p
       using (merchant_id, appid, status) where c.n is distinct from p.n`,
  ],
  [
    'the volume in statistics is the value of credited deposits',
    `select * from (
       select merchant_id, sum(volume_usdt) as volume from (
         select merchant_id, volume_usdt from statistics where span = 'all'
         union all select merchant_id, volume_usdt from statistics_changes
       ) s group by merchant_id
     ) s full join (
       select merchant_id, sum(usdt_amount) filter (where state = 'credited' and not returned) as credited from deposits
       where kind = 'payment' group by merchant_id
     ) d using (merchant_id) where coalesce(s.volume, 0) <> coalesce(d.credited, 0)`,
  ],
]

/** Invariants of payments, each with a query that returns violations. */
const laws: [law: string, broken: string][] = [
  [
    'paid and pending amounts are the sums of credited and seen deposits',
    `select p.trade_no, p.paid_amount, p.pending_amount, d.* from payments p cross join lateral (
       select coalesce(sum(counted) filter (where state = 'credited'), 0) as credited,
         coalesce(sum(counted) filter (where state = 'seen'), 0) as seen
       from deposits d where d.trade_no = p.trade_no and d.merchant_id = p.merchant_id
     ) d where p.paid_amount <> d.credited or p.pending_amount <> d.seen`,
  ],
  [
    // Less than a unit that a payer can be charged, at most a part in 10,000, is neither due nor a surplus.
    'a payment is paid if and only if its paid amount suffices or the merchant says so',
    `select trade_no, status, amount, paid_amount from payments
     where (status in (${open}, ${dropped}) and asset_id is not null and exception <> 'late' and paid_amount >= amount)
       or (status = ${paid} and exception <> 'marked_paid' and paid_amount < amount - greatest(amount * tolerance_permille / 1000, amount / 10000)) or (status = ${paid} and paid_at = 0)`,
  ],
  [
    'the history ends in the current status, and shares no sequence number with a callback',
    `select p.trade_no from payments p join lateral (
       select status, seq from payment_history h where h.trade_no = p.trade_no order by seq desc limit 1
     ) h on true where h.status <> p.status or exists (
       select from callbacks c join payment_history x on x.trade_no = c.trade_no and x.seq = c.seq where c.trade_no = p.trade_no)`,
  ],
  [
    'the application that made an address is notified of each credited deposit there once, and of each reversed one; of none that was returned',
    `select d.id, d.state, c.* from deposits d cross join lateral (
       select not exists (select from withdrawals w where w.returns = d.id) as told) r cross join lateral (
       select count(*) filter (where event = 'deposit.credited') as credited, count(*) filter (where event = 'deposit.reversed') as reversed
       from callbacks where merchant_id = d.merchant_id and event like 'deposit.%' and body::jsonb #>> '{data,id}' = d.id
     ) c where d.kind = 'recharge' and exists (
       select from fixed_addresses f join applications a on a.merchant_id = f.merchant_id and a.appid = f.appid
       where f.merchant_id = d.merchant_id and f.address = d.to_address and a.notify_url <> ''
         and not a.callbacks_muted ?| array['deposit.credited', 'deposit.reversed']
     ) and (c.credited <> (r.told and d.state in ('credited', 'undone'))::int or c.reversed <> (r.told and d.state = 'undone')::int)`,
  ],
]

/** Asserts the invariants of the ledger, payments and statistics. */
export async function assertBooksAgree(owner: pg.Pool): Promise<void> {
  assert.deepEqual(await checkLedger({ pool: owner }), [])
  await assertLaws(owner, laws)
  await assertFiguresAgree(owner)
}

/** Asserts that list counts and statistics match the payments and deposits. */
export const assertFiguresAgree = (owner: pg.Pool): Promise<void> => assertLaws(owner, figureLaws)

async function assertLaws(owner: pg.Pool, those: typeof laws): Promise<void> {
  for (const [law, broken] of those) {
    const { rows } = await owner.query(broken)
    assert.deepEqual(rows, [], law)
  }
}
