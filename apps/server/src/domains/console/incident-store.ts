import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { all, first, run } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { buildPaymentTitleSql } from '../../kit/format-payment-name.ts'

/** The pattern of `like` for a part of a text. */
const patternOf = (text: string) => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`

/** An incident, and what has the same cause. */
const group = (of: string) => `p.id = ${of} or p.part_of = ${of}`

/** Incidents with their causes, newest first. There are few. */
export const { page: listIncidents } = defineList({
  name: 'incidents-of-operators',
  table: 'incidents',
  row: 'i',
  everyone: true,
  where: 'i.part_of is null',
  joins: `cross join lateral (
    select coalesce(string_agg(p.kind, ' ' order by p.created_at, p.id) filter (where p.id <> i.id), '') as kinds,
      case when bool_or(p.resolved_at is null) then 0 else max(p.resolved_at) end as closed_at
    from incidents p where ${group('i.id')}) g`,
  columns: `i.id, i.kind, i.chain_id, i.created_at, g.kinds, g.closed_at,
    coalesce((select e.who from incident_entries e where e.incident_id = i.id and e.what = 'took' order by e.id desc limit 1), '') as who,
    (select count(*) from incident_entries e where e.incident_id = i.id and e.what = 'noted') as notes`,
  filters: {
    state: {
      column: (state: string) =>
        `(${state} = 'open') = exists (select from incidents p where (${group('i.id')}) and p.resolved_at is null)`,
    },
    text: {
      stored: patternOf,
      column: (text: string) => `(exists (select from incidents p where (${group('i.id')})
          and (p.id ilike ${text} or p.kind ilike ${text} or p.chain_id ilike ${text} or p.detail::text ilike ${text}))
        or exists (select from incident_entries e where e.incident_id = i.id and (e.text ilike ${text} or e.who ilike ${text})))`,
    },
  },
})

/** Reads an incident and all parts of the one that it is, or is a part of: the first is the whole one. */
export const readIncidentParts = all(
  'incident-parts',
  `select p.id, p.kind, p.chain_id, p.detail, p.created_at, coalesce(p.resolved_at, 0) as resolved_at
   from incidents i join incidents p on p.id = coalesce(i.part_of, i.id) or p.part_of = coalesce(i.part_of, i.id)
   where i.id = $1 order by p.part_of is not null, p.created_at, p.id`,
)

/** Reads what operators did about an incident, oldest first. */
export const readIncidentEntries = all(
  'incident-entries',
  'select what, who, text, created_at from incident_entries where incident_id = $1 order by id',
)

/** Adds an entry to the incident that $1 is, or is a part of. */
export const addIncidentEntry = run(
  'incident-entry-add',
  `insert into incident_entries (incident_id, what, who, text, created_at)
   select coalesce(part_of, id), $2, $3, $4, $5 from incidents where id = $1`,
)

/** Reads the deposits that incidents name. */
export const readIncidentDeposits = all(
  'incident-deposits',
  `select d.id, d.merchant_id, d.txid, d.block_number, d.asset_id, d.amount, d.fee, d.state, d.doubted, d.trade_no, m.mchid, m.name as merchant,
     coalesce(p.out_trade_no, '') as out_trade_no, ${buildPaymentTitleSql('p')} as title, coalesce(l.balance, 0) as available
   from deposits d join merchants m on m.id = d.merchant_id
   left join payments p on p.merchant_id = d.merchant_id and p.trade_no = d.trade_no
   left join ledger_accounts l on l.merchant_id = d.merchant_id and l.asset_id = d.asset_id and l.part = 'available'
   where d.id = any($1) order by d.doubted desc, d.amount desc, d.id`,
)

/** Sums the payouts of a chain that have no transaction yet, by token. */
export const sumQueuedPayouts = all(
  'incident-queued',
  `select a.symbol as token, a.decimals, sum(p.units) as units from (
     select asset_id, receives as units from withdrawals
     where chain_id = $1 and status = ${withdrawalStatus.transferring} and out_nonce is null
     union all select asset_id, receives from refunds
     where chain_id = $1 and status = ${withdrawalStatus.transferring} and out_nonce is null
   ) p join assets a on a.id = p.asset_id group by a.symbol, a.decimals order by a.symbol`,
)

export const readTokenHold = first('incident-token-hold', 'select symbol, hold from assets where id = $1')

/** Reads the deposits of a token that is not accepted which wait for an operator, the oldest 200. */
export const listWaitingDeposits = all(
  'incident-waiting',
  `select d.id, d.txid, d.block_number, d.asset_id, d.amount, d.trade_no, d.from_address, d.seen_at, m.mchid, m.name as merchant,
     coalesce(p.out_trade_no, '') as out_trade_no, ${buildPaymentTitleSql('p')} as title
   from deposits d join merchants m on m.id = d.merchant_id
   left join payments p on p.merchant_id = d.merchant_id and p.trade_no = d.trade_no
   where d.chain_id = $1 and d.asset_id = $2 and d.held_at is not null and d.state = 'seen'
   order by d.seen_at, d.id limit 200`,
)

/** Sums the deposits of a token that wait for an operator. */
export const sumWaitingDeposits = first(
  'incident-waiting-sum',
  `select count(*) as n, coalesce(sum(amount), 0) as units from deposits
   where chain_id = $1 and asset_id = $2 and held_at is not null and state = 'seen'`,
)
