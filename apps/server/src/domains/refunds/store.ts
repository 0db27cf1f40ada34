import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import { callbackReceiversSql } from '../callbacks/enqueue.ts'

/** A refund locked until the end of the transaction. Amounts are in base units, `usdt_value` has 18 decimals. */
export type StoredRefund = Statements['refund-lock']['row']

const columns = `r.merchant_id, r.id, r.trade_no, r.appid, r.asset_id, r.to_address, r.amount, r.gas, r.receives, r.total, r.usdt_value,
  r.status, r.kind, r.gas_payer, r.out_no, r.warnings, r.reason, r.failure, r.txid, r.out_chain, r.out_from, r.out_nonce, r.settled, r.released, r.undone,
  coalesce(r.counted, r.amount) as counted, r.send_after, r.events, r.created_at, r.updated_at,
  (select symbol from assets where id = r.asset_id) as token, (select decimals from assets where id = r.asset_id),
  (select definition from chains where id = r.chain_id),
  (select out_trade_no from payments p where p.merchant_id = r.merchant_id and p.trade_no = r.trade_no),
  ${callbackReceiversSql('r')} as receivers`

const ofAnybody = `select ${columns}, m.mchid, m.name, m.risk_level from refunds r join merchants m on m.id = r.merchant_id`

/** Reads one refund of a merchant as events of it report it. */
export const readStoredRefund = first(
  'refund-read',
  `select ${columns} from refunds r where r.merchant_id = $1 and r.id = $2`,
)

/** Locks one refund of a merchant. */
export const lockRefund = first(
  'refund-lock',
  `select ${columns} from refunds r where r.merchant_id = $1 and r.id = $2 for no key update of r`,
)

/** Locks one refund of any merchant, for the operator. */
export const lockAnyRefund = first(
  'refund-lock-any',
  `select ${columns} from refunds r where r.id = $1 for no key update of r`,
)

/** Locks refunds by merchant and number, in the order of their payments. */
export const lockRefunds = all(
  'refunds-lock',
  `select ${columns} from refunds r where (r.merchant_id, r.id) in (select * from unnest($1::text[], $2::text[]))
   order by r.trade_no for no key update of r`,
)

const { transferring, abnormal, accomplished, canceled } = withdrawalStatus

/**
 * Reads refunds to be sent on a chain, in the order of withdrawals, and none where withdrawals would not be sent. Locks
 * nothing.
 */
export const readDueRefunds = all(
  'refunds-due',
  `select r.merchant_id, r.id, r.asset_id, a.contract, r.to_address, r.receives, r.created_at,
     r.failure as waits
   from refunds r join merchants m on m.id = r.merchant_id join assets a on a.id = r.asset_id join chains h on h.id = r.chain_id
   where r.chain_id = $1 and r.status = ${transferring} and r.out_nonce is null and not m.frozen and m.held_at = 0 and h.halted is null and h.enabled
     and not exists (select from switches where name in ('withdrawals_stopped', 'withdrawals_stopped:' || r.chain_id, 'withdrawals_stopped:' || r.asset_id)) and r.send_after <= $3
   order by row_number() over (partition by r.merchant_id, r.asset_id, r.failure ~ '^(signer: |issuer: |the destination )' order by r.created_at, r.id), r.created_at, r.id
   limit $2`,
)

/** Reads refunds that wait for a transaction on a chain, whatever holds them up. Locks nothing. */
export const readUnassignedRefunds = all(
  'refunds-unassigned',
  `select merchant_id, id, receives from refunds
   where chain_id = $1 and status = ${transferring} and out_nonce is null order by created_at, id limit $2`,
)

/** Reads one refund of any merchant, for the operator. */
export const readAnyRefund = first('refund-any', `${ofAnybody} where r.id = $1`)

/** Reads the 200 oldest refunds of all merchants that wait for the operator. */
export const abnormalRefunds = all(
  'refunds-abnormal',
  `${ofAnybody} where r.status = ${abnormal} order by r.created_at, r.id limit 200`,
)

/** Records what operators decided about a refund, as its event $3. */
export const insertDecision = run(
  'refund-decision-insert',
  'insert into refund_decisions (merchant_id, refund_id, seq, event, who, created_at) values ($1, $2, $3, $4, $5, $6)',
)

/** Reads the refunds of a payment, at most 50, the newest first. */
export const refundsOfPayment = all(
  'refunds-of-payment',
  `select r.id, r.status, r.receives, r.created_at, a.symbol, a.decimals, h.definition
   from refunds r join assets a on a.id = r.asset_id join chains h on h.id = r.chain_id
   where r.merchant_id = $1 and r.trade_no = $2 order by r.created_at desc, r.id limit 50`,
)

const decisionsOf = `select seq, event, who, created_at from refund_decisions where merchant_id = $1 and refund_id = $2
   union all
   select seq, 'found_paid', who, created_at from found_payouts where owner = 'refund' and merchant_id = $1 and owner_id = $2`

/** Reads what operators decided about a refund, the last first. */
export const listRefundDecisions = all(
  'refund-decisions',
  `select event, who, created_at from (${decisionsOf}) d order by seq desc limit 100`,
)

/** Reads what operators decided last about a refund. */
export const readLastRefundDecision = first(
  'refund-decision-last',
  `select event, who from (${decisionsOf}) d order by seq desc limit 1`,
)

/** Reads the 20 newest decisions about refunds of all merchants, each with its refund as it is now. */
export const listNewestRefundDecisions = all(
  'refund-decisions-newest',
  `select ${columns}, m.mchid, m.name, m.risk_level, d.seq, d.event, d.who, d.created_at as decided_at
   from (
     (select merchant_id, refund_id, seq, event, who, created_at from refund_decisions order by created_at desc, refund_id, seq desc limit 20)
     union all
     (select merchant_id, owner_id, seq, 'found_paid', who, created_at from found_payouts where owner = 'refund' order by created_at desc limit 20)
   ) d
   join refunds r on r.merchant_id = d.merchant_id and r.id = d.refund_id join merchants m on m.id = r.merchant_id
   order by d.created_at desc, d.refund_id, d.seq desc limit 20`,
)

const change = run(
  'refunds-change',
  `update refunds f set status = r.status, failure = r.failure, txid = r.txid, out_chain = r.out_chain, out_from = r.out_from,
     out_nonce = r.out_nonce, settled = r.settled, released = r.released, undone = r.undone, events = r.events,
     updated_at = r.updated_at
   from json_to_recordset($1::json) as r (merchant_id text, id text, status int, failure text, txid text, out_chain text,
     out_from text, out_nonce bigint, settled numeric, released numeric, undone int, events int,
     updated_at bigint)
   where f.merchant_id = r.merchant_id and f.id = r.id`,
)

/** Writes the columns that events change. */
export const changeRefunds = (c: Queryable, rows: readonly StoredRefund[]) => change(c, toJson(rows))

/** Stores which transaction has paid a refund, after a deep reorg took away the block of the one before. */
export const setTxid = run('refund-txid', 'update refunds set txid = $3 where merchant_id = $1 and id = $2')

/** Inserts a refund that waits to be sent; no row if the application has already used its number. */
export const insertRefund = run(
  'refund-insert',
  `insert into refunds (merchant_id, id, trade_no, appid, asset_id, chain_id, to_address, kind, basis, gas_payer, amount, gas,
     receives, total, usdt_value, status, reason, created_at, updated_at, origin, out_no, body_hash, counted, send_after, by_passkey, warnings, requested_by, events)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, ${transferring}, $16, $17, $17,
     case when $18::text is null then 'page' else 'api' end, $18, $19, $20, $21, $22, $23, $24, 1)
   on conflict (merchant_id, appid, out_no) where out_no is not null do nothing returning 1`,
)

/** Reads the refund for which an application has used a number of its own. */
export const refundByOutNo = first(
  'refund-by-out-no',
  'select id, body_hash from refunds where merchant_id = $1 and appid = $2 and out_no = $3',
)

/**
 * Counts $4 base units as refunded of a payment with $3 credited. Fails with a violation of `payment_refunds_within`
 * beyond what is credited.
 */
export const addRefundedAmount = run(
  'refund-count',
  `insert into payment_refunds as p (merchant_id, trade_no, credited, refunded) values ($1, $2, $3, $4)
   on conflict (merchant_id, trade_no) do update set credited = excluded.credited, refunded = p.refunded + excluded.refunded`,
)

/** Takes $3 base units back from what counts as given back. */
export const subtractRefundedAmount = run(
  'refund-uncount',
  'update payment_refunds set refunded = refunded - $3::numeric where merchant_id = $1 and trade_no = $2',
)

/** Reads what was given back of a payment or is on its way. */
export const readRefundedAmount = first(
  'refund-counted',
  'select refunded from payment_refunds where merchant_id = $1 and trade_no = $2',
)

/** Finds a refund of a payment that is neither paid nor canceled. */
export const findPendingRefund = first(
  'refund-under-way',
  `select id from refunds where merchant_id = $1 and trade_no = $2 and status not in (${accomplished}, ${canceled}) limit 1`,
)

/** Reads the addresses that paid a payment, in the stored form. */
export const readPaymentSenders = all(
  'refund-senders',
  `select distinct from_address from deposits where merchant_id = $1 and trade_no = $2 and state = 'credited' and not returned and from_address <> ''
   limit 20`,
)
