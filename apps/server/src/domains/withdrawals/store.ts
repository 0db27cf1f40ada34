import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { LedgerWithdrawal } from '@coffer/core'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import { callbackReceiversSql } from '../callbacks/enqueue.ts'
import type { StoredPolicyReport } from '../policies/format-policy-report.ts'
import type { LockedRate } from '../prices/locked-rates.ts'

/**
 * A withdrawal locked until the end of the transaction. Amounts are in base units of the asset, `usdt_value` has 18
 * decimals. `receivers` are the applications that may receive its events.
 */
export type StoredWithdrawal = Statements['withdrawal-lock']['row']

// Joined rows are read in subqueries: after waiting for a row lock, PostgreSQL rereads the withdrawal only.
const columns = `w.merchant_id, w.id, w.asset_id, w.chain_id, w.to_address, w.amount, w.fee, w.gas, w.receives, w.usdt_value,
  w.rate, w.status, w.origin, w.returns, w.warnings, w.appid, w.out_no, w.remark, w.policy, w.requested_by, w.approved_by,
  w.approved_for, w.approved_at, w.reason, w.txid, w.out_chain,
  w.out_from, w.out_nonce, w.settled, w.released, w.undone, w.events, w.created_at, w.updated_at,
  (select symbol from assets where id = w.asset_id) as token, (select decimals from assets where id = w.asset_id),
  (select definition from chains where id = w.chain_id),
  ${callbackReceiversSql('w')} as receivers`

/** Reads one withdrawal of a merchant as events of it report it. */
export const readStoredWithdrawal = first(
  'withdrawal-read',
  `select ${columns} from withdrawals w where w.merchant_id = $1 and w.id = $2`,
)

/** Locks one withdrawal of a merchant. */
export const lockWithdrawal = first(
  'withdrawal-lock',
  `select ${columns} from withdrawals w where w.merchant_id = $1 and w.id = $2 for no key update of w`,
)

/** Locks one withdrawal of any merchant, for the operator. */
export const lockAnyWithdrawal = first(
  'withdrawal-lock-any',
  `select ${columns} from withdrawals w where w.id = $1 for no key update of w`,
)

/** Reads which transaction carries a withdrawal, if one does. Locks nothing. */
export const findCarryingTransaction = first(
  'withdrawal-carrier',
  'select out_chain, out_from, out_nonce from withdrawals where id = $1 and out_nonce is not null',
)

/** Locks withdrawals by merchant and number, in one order. */
export const lockWithdrawals = all(
  'withdrawals-lock',
  `select ${columns} from withdrawals w where (w.merchant_id, w.id) in (select * from unnest($1::text[], $2::text[]))
   order by w.id for no key update of w`,
)

const { auditing, transferring } = withdrawalStatus

/**
 * Reads withdrawals to be sent on a chain, at most $2 and none while withdrawals are stopped, of a frozen merchant or
 * on a halted chain. What an operator gives back is not the merchant's, whose freeze does not keep it. The oldest of
 * each merchant and asset come first, and those that wait for the signer share no place with the others: many that
 * cannot be paid hold up nobody else. Locks nothing.
 */
export const readDueWithdrawals = all(
  'withdrawals-due',
  `select w.merchant_id, w.id, w.asset_id, a.contract, w.to_address, w.receives, w.created_at,
     w.reason as waits
   from withdrawals w join merchants m on m.id = w.merchant_id join assets a on a.id = w.asset_id
   join chains h on h.id = w.chain_id
   where w.chain_id = $1 and w.status = ${transferring} and w.out_nonce is null and (w.origin = 'return' or not m.frozen and m.held_at = 0) and h.halted is null
     and h.enabled and not exists (select from switches where name in ('withdrawals_stopped', 'withdrawals_stopped:' || w.chain_id, 'withdrawals_stopped:' || w.asset_id))
   order by row_number() over (partition by w.merchant_id, w.asset_id, w.reason ~ '^(signer: |issuer: |the destination )' order by w.created_at, w.id), w.created_at, w.id
   limit $2`,
)

/** Reads withdrawals that wait for an approval or a transaction on a chain, whatever holds them up. Locks nothing. */
export const readUnassignedWithdrawals = all(
  'withdrawals-unassigned',
  `select merchant_id, id, receives from withdrawals
   where chain_id = $1 and status in (${auditing}, ${transferring}) and out_nonce is null order by created_at, id limit $2`,
)

const change = run(
  'withdrawals-change',
  `update withdrawals w set status = r.status, approved_by = r.approved_by, approved_for = r.approved_for, approved_at = r.approved_at, reason = r.reason,
     txid = r.txid, out_chain = r.out_chain, out_from = r.out_from, out_nonce = r.out_nonce, settled = r.settled,
     released = r.released, undone = r.undone, events = r.events, updated_at = r.updated_at
   from json_to_recordset($1::json) as r (merchant_id text, id text, status int, approved_by text, approved_for text,
     approved_at bigint, reason text, txid text, out_chain text, out_from text, out_nonce bigint, settled numeric, released numeric, undone int,
     events int, updated_at bigint)
   where w.merchant_id = r.merchant_id and w.id = r.id`,
)

/** Writes the columns that events change. */
export const changeWithdrawals = (c: Queryable, rows: readonly StoredWithdrawal[]) => change(c, toJson(rows))

/** Stores which transaction has paid a withdrawal, after a deep reorg took away the block of the one before. */
export const setTxid = run('withdrawal-txid', 'update withdrawals set txid = $3 where merchant_id = $1 and id = $2')

/** An entry of a withdrawal's history. */
export interface WithdrawalEventRow {
  merchant_id: string
  withdrawal_id: string
  seq: number
  status: number
  event: string
  detail: string
  who?: string
  created_at: number
}

const insertEvents = run(
  'withdrawal-events-insert',
  `insert into withdrawal_events (merchant_id, withdrawal_id, seq, status, event, detail, who, created_at)
   select merchant_id, withdrawal_id, seq, status, event, detail, coalesce(who, ''), created_at
   from json_to_recordset($1::json) as r (merchant_id text, withdrawal_id text, seq int, status int, event text,
     detail text, who text, created_at bigint)`,
)

export const insertWithdrawalEvents = (c: Queryable, rows: readonly WithdrawalEventRow[]) =>
  insertEvents(c, JSON.stringify(rows))

export interface NewWithdrawal {
  merchantId: string
  id: string
  assetId: string
  chainId: string
  to: string
  terms: Pick<LedgerWithdrawal, 'amount' | 'fee' | 'gas' | 'receives'>
  value: bigint
  rate: LockedRate
  status: number
  origin: 'page' | 'api' | 'return'
  appid: string
  outNo: string | null
  bodyHash: Buffer | null
  remark: string
  warnings: string[]
  policy: StoredPolicyReport[]
  byPasskey: boolean
  /** The person who asked; empty for a deposit that is given back. */
  requestedBy: string
  /** The deposit that is given back; at most one withdrawal names it. */
  returns?: string
  now: number
}

const insert = run(
  'withdrawal-insert',
  `insert into withdrawals (merchant_id, id, asset_id, chain_id, to_address, amount, fee, gas, receives, usdt_value, rate,
     status, origin, appid, out_no, body_hash, remark, policy, by_passkey, warnings, created_at, updated_at, returns, events, requested_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21, $22, 2, $23)
   on conflict (merchant_id, appid, out_no) where out_no is not null do nothing returning 1`,
)

/** Reads the withdrawal that gives a deposit back. */
export const findReturnWithdrawal = first(
  'withdrawal-of-return',
  'select id, status from withdrawals where returns = $1',
)

/** Finds which of some deposits were to be given back by a withdrawal that was stopped: the merchant has them. */
export const listStoppedDepositReturns = all(
  'withdrawals-returns-stopped',
  `select returns from withdrawals where returns = any($1::text[]) and status = ${withdrawalStatus.canceled}`,
)

/** Reads the withdrawal for which an application has used a number of its own. */
export const findWithdrawalByOutNo = first(
  'withdrawal-by-out-no',
  'select id, body_hash from withdrawals where merchant_id = $1 and appid = $2 and out_no = $3',
)

/** Returns false if the application has already used this number. */
export async function insertWithdrawal(c: Queryable, row: NewWithdrawal): Promise<boolean> {
  const { amount, fee, gas, receives } = row.terms
  const inserted = await insert(
    c,
    row.merchantId,
    row.id,
    row.assetId,
    row.chainId,
    row.to,
    amount,
    fee,
    gas,
    receives,
    row.value,
    row.rate,
    row.status,
    row.origin,
    row.appid,
    row.outNo,
    row.bodyHash,
    row.remark,
    JSON.stringify(row.policy),
    row.byPasskey,
    row.warnings,
    row.now,
    row.returns ?? null,
    row.requestedBy,
  )
  return inserted === 1
}

/** Reads a merchant's balance of an asset in base units; undefined if there never was one. */
export const readAvailableBalance = first(
  'withdrawal-balance',
  `select balance from ledger_accounts where id = $1 || '/available/' || $2`,
)

/** Reads which operators decided about a withdrawal, and when, the last first. */
export const readDeciders = all(
  'withdrawal-deciders',
  `select event, who, created_at from withdrawal_events where merchant_id = $1 and withdrawal_id = $2 and who <> '' order by seq desc`,
)

/** Reads the history of a withdrawal in order. */
export const readWithdrawalEvents = all(
  'withdrawal-events',
  `select status, event, detail, created_at from withdrawal_events where merchant_id = $1 and withdrawal_id = $2 order by seq`,
)
