import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { all, tx } from '../../kit/db.ts'

const { audit_rejected, accomplished, canceled } = withdrawalStatus

/** The subquery of what was reserved, settled and released for a payout. What a deep reorg undid is not settled. */
const moved = (kind: 'withdrawal' | 'refund', row: string) =>
  `select coalesce(sum(p.amount) filter (where s.what = 'reserve'), 0) as reserved,
     coalesce(sum(p.amount) filter (where s.what = 'settle'), 0) as settled,
     coalesce(sum(p.amount) filter (where s.what = 'release'), 0) as released
   from (
     values ('reserve', ''), ('settle', ''), ('release', '')
     union all select 'settle', ':' || n from generate_series(1, ${row}.undone) n
   ) s (what, again)
   join ledger_groups g on g.source = '${kind}:' || ${row}.id || ':' || s.what || s.again
   join ledger_postings p on p.group_id = g.id
   where not exists (select from ledger_groups r where r.reverses = g.id)`

/** Invariants of the ledger, each with a statement that returns up to 20 violations. */
const invariants = {
  'a balance equals the sum of its postings': all(
    'ledger-law-balances',
    `select a.id, a.balance, coalesce(s.sum, 0) as sum from ledger_accounts a left join (
       select account, sum(change) as sum from (
         select debit_account as account, -amount as change from ledger_postings
         union all select credit_account, amount from ledger_postings
       ) e group by account
     ) s on s.account = a.id where a.merchant_id is not null and a.balance <> coalesce(s.sum, 0) limit 20`,
  ),
  'the accounts of every posting exist': all(
    'ledger-law-accounts',
    `select p.id, p.debit_account, p.credit_account from ledger_postings p
     left join ledger_accounts d on d.id = p.debit_account left join ledger_accounts c on c.id = p.credit_account
     where d.id is null or c.id is null limit 20`,
  ),
  'a credited deposit is posted once, with its amount and fee': all(
    'ledger-law-credits',
    `select d.id, d.amount, d.fee, g.moved from deposits d left join lateral (
       select count(distinct g.id) as groups, sum(p.amount) filter (where p.kind <> 'fee') as moved,
         coalesce(sum(p.amount) filter (where p.kind = 'fee'), 0) as fee
       from ledger_groups g join ledger_postings p on p.group_id = g.id where g.source = 'deposit:' || d.id
     ) g on true
     where d.state in ('credited', 'undone') and (g.groups <> 1 or g.moved is distinct from d.amount or g.fee <> d.fee) limit 20`,
  ),
  'every deposit posting has a credited deposit': all(
    'ledger-law-sources',
    `select g.source from ledger_groups g left join deposits d on g.source = 'deposit:' || d.id
     where g.source like 'deposit:%' and (d.id is null or d.state not in ('credited', 'undone')) limit 20`,
  ),
  'exactly the undone deposits are reversed': all(
    'ledger-law-reversals',
    `select d.id from deposits d join ledger_groups g on g.source = 'deposit:' || d.id
     left join ledger_groups r on r.reverses = g.id where (d.state = 'undone') <> (r.id is not null) limit 20`,
  ),
  'a withdrawal is reserved once, and settled or released once it is final': all(
    'ledger-law-withdrawals',
    `select w.id, w.status, s.reserved, s.settled, s.released from withdrawals w cross join lateral (${moved('withdrawal', 'w')}) s
     where s.reserved <> w.amount or s.settled <> case when w.status = ${accomplished} then w.amount else 0 end
       or s.released <> case when w.status in (${audit_rejected}, ${canceled}) then w.amount else 0 end limit 20`,
  ),
  'every withdrawal posting has a withdrawal': all(
    'ledger-law-withdrawal-sources',
    `select g.source from ledger_groups g left join withdrawals w on w.id = split_part(g.source, ':', 2)
     where g.source like 'withdrawal:%' and w.id is null limit 20`,
  ),
  'a refund is reserved once, and settled or released once it is final': all(
    'ledger-law-refunds',
    `select r.id, r.status, s.reserved, s.settled, s.released from refunds r cross join lateral (${moved('refund', 'r')}) s
     where s.reserved <> r.total or s.settled <> case when r.status = ${accomplished} then r.total else 0 end
       or s.released <> case when r.status = ${canceled} then r.total else 0 end limit 20`,
  ),
  'what was given back of a payment is the sum of its refunds and its open link': all(
    'ledger-law-refunded',
    `select p.trade_no, p.refunded, s.refunded as of_refunds from payment_refunds p cross join lateral (
       select coalesce((select sum(coalesce(counted, amount)) from refunds r
         where r.merchant_id = p.merchant_id and r.trade_no = p.trade_no and r.status <> ${canceled}), 0)
         + coalesce((select sum(amount) from refund_links l
         where l.merchant_id = p.merchant_id and l.trade_no = p.trade_no and l.state = 'open'), 0) as refunded
     ) s where p.refunded <> s.refunded limit 20`,
  ),
  'balances, fees and suspense equal chain holdings and gas': all(
    'ledger-law-sums',
    `select asset_id, sum(own) as own, sum(chain) as chain from (
       select asset_id, balance as own, 0 as chain from ledger_accounts where merchant_id is not null
       union all select p.asset_id, p.amount, 0 from ledger_postings p where p.credit_account in
         ('house/fees/' || p.asset_id, 'house/suspense/' || p.asset_id)
       union all select p.asset_id, -p.amount, 0 from ledger_postings p where p.debit_account in
         ('house/fees/' || p.asset_id, 'house/suspense/' || p.asset_id)
       union all select p.asset_id, 0, p.amount from ledger_postings p where p.debit_account in
         ('house/chain/' || p.asset_id, 'house/gas/' || p.asset_id)
       union all select p.asset_id, 0, -p.amount from ledger_postings p where p.credit_account in
         ('house/chain/' || p.asset_id, 'house/gas/' || p.asset_id)
     ) t group by asset_id having sum(own) <> sum(chain) limit 20`,
  ),
}

/** Checks the whole ledger, which takes time, and returns the violated invariants with up to 20 rows each. */
export const checkLedger = ({ pool }: Pick<Deps, 'pool'>): Promise<{ invariant: string; rows: unknown[] }[]> =>
  tx(pool, async c => {
    await c.query('set transaction isolation level repeatable read, read only')
    await c.query('set local statement_timeout = 0')
    const violated: { invariant: string; rows: unknown[] }[] = []
    for (const [invariant, violations] of Object.entries(invariants)) {
      const rows = await violations(c)
      if (rows.length > 0) violated.push({ invariant, rows })
    }
    return violated
  })
