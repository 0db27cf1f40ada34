import type { Told, Transfer } from '@coffer/chains'
import { type Lease, paymentAtFixed, paymentAtLeased, type Reservation } from '@coffer/core'
import { one, type Queryable, q } from '../../kit/db.ts'
import type { Part } from '../../kit/unit-of-work.ts'
import { foundPrefix } from '../payments/deposit-view.ts'

/** A deposit as commands work with it. Amounts are decimal digits in base units. */
export interface StoredDeposit {
  merchant_id: string
  id: string
  chain_id: string
  txid: string
  asset_id: string
  ordinal: number
  block_number: number
  block_hash: string
  block_time: number
  log_index: number
  from_address: string
  to_address: string
  amount: string
  /** What it counts for in the asset its payment asks for. */
  counted: string
  /** micro-USDT by the payment's locked rate; 0 where there is none. */
  usdt_amount: string
  fee: string
  /** Null for a recharge. */
  trade_no: string | null
  kind: 'payment' | 'recharge'
  late: boolean
  state: 'seen' | 'credited' | 'dropped' | 'undone'
  /** Credited, and its block left the chain: a person has to decide. */
  doubted: boolean
  seen_at: number
  credited_at: number
  /** Fee of its transaction, in base units of the native coin; `writeGas` writes it. */
  gas: string
}

const columns = `merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
  from_address, to_address, amount, counted, usdt_amount, fee, trade_no, kind, late, state, doubted, seen_at, credited_at`

/** Whose a transfer is. `trade_no` is null at a fixed address. */
export interface Match {
  /** Place of the transfer in the list that was asked about. */
  place: number
  asset_id: string
  merchant_id: string
  trade_no: string | null
}

interface Candidate extends Omit<Match, 'trade_no'> {
  purpose: 'lease' | 'fixed'
  leases: Lease[] | null
  reservations: Reservation[] | null
}

/** Finds the transfers that are ours and of an asset we take. */
export async function matchTransfers(c: Queryable, chainId: string, transfers: readonly Transfer[]): Promise<Match[]> {
  if (transfers.length === 0) return []
  const found = await q<Candidate>(
    c,
    'deposits-match',
    `select t.place, s.id as asset_id, d.merchant_id, d.purpose, (
         select json_agg(json_build_object('tradeNo', a.trade_no, 'since', a.since)) from address_leases a
         where d.purpose = 'lease' and a.chain_kind = d.chain_kind and a.address = d.address
       ) as leases, (
         select json_agg(json_build_object('tradeNo', a.trade_no, 'since', a.since, 'until', a.until))
         from address_amounts a where d.purpose = 'fixed' and a.chain_kind = d.chain_kind and a.address = d.address
           and a.asset_id = s.id and a.amount = t.amount
       ) as reservations
     from json_to_recordset($2::json) as t (place int, txid text, token text, "to" text, amount numeric)
     join chains h on h.id = $1
     join assets s on s.chain_id = h.id and s.enabled
       and /* guard: contract-of-asset */ coalesce(s.contract, '') = coalesce(t.token, '') /* end */
     join deposit_addresses d on d.chain_kind = h.kind and d.address = t."to" and not exists (
       select from own_transactions o where o.chain_id = h.id and o.txid = t.txid and o.address = d.address)`,
    [
      chainId,
      JSON.stringify(
        transfers.map(({ txid, token, to, amount }, place) => ({ place, txid, token, to, amount: String(amount) })),
      ),
    ],
  )
  return found.map(({ place, asset_id, merchant_id, purpose, leases, reservations }) => {
    const { blockTime } = transfers[place]!
    const trade_no =
      purpose === 'lease' ? paymentAtLeased(leases ?? [], blockTime) : paymentAtFixed(reservations ?? [], blockTime)
    return { place, asset_id, merchant_id, trade_no }
  })
}

/**
 * Deposits that a block may change, by their place in the chain: unconfirmed ones up to the confirmed height, and those
 * that its transfers are known as, by transaction, asset and ordinal, which a reorg does not change.
 */
export const depositsOfBlock = (
  c: Queryable,
  chainId: string,
  final: number,
  keys: readonly { txid: string; asset_id: string; ordinal: number }[],
) =>
  q<StoredDeposit>(
    c,
    'deposits-of-block',
    // Row by row, or the planner, before it has met a growing table again, reads all of it for a few.
    `select * from (
       select ${columns}, gas from deposits where chain_id = $1 and state = 'seen' and block_number <= $2
       union
       select d.* from json_to_recordset($3::json) as r (txid text, asset_id text, ordinal int)
       cross join lateral (select ${columns}, gas from deposits
         where chain_id = $1 and txid = r.txid and asset_id = r.asset_id and ordinal = r.ordinal limit 1) d
     ) d order by block_number, log_index`,
    [chainId, final, JSON.stringify(keys)],
  )

/** Unconfirmed deposits up to the confirmed height, as nodes are asked to confirm them. */
export async function unconfirmedDeposits(c: Queryable, chainId: string, final: number): Promise<Told[]> {
  const rows = await q<Omit<Told, 'amount'> & { amount: string }>(
    c,
    'deposits-unconfirmed',
    `select d.txid, d.block_hash as "blockHash", a.contract as token, d.ordinal, d.to_address as "to", d.amount
     from deposits d join assets a on a.id = d.asset_id
     where d.chain_id = $1 and d.state = 'seen' and d.block_number <= $2 order by d.block_number, d.log_index`,
    [chainId, final],
  )
  return rows.map(row => ({ ...row, amount: BigInt(row.amount) }))
}

/** What was seen in blocks above a height. */
export const depositsAbove = (c: Queryable, chainId: string, height: number) =>
  q<StoredDeposit>(
    c,
    'deposits-above',
    `select ${columns}, gas from deposits where chain_id = $1 and block_number > $2 and state in ('seen', 'credited')
     order by block_number, log_index`,
    [chainId, height],
  )

/** Writes deposits as they are now, new ones and known ones, in one statement. */
const writeDeposits = (c: Queryable, deposits: readonly StoredDeposit[]) =>
  q(
    c,
    'deposits-write',
    `insert into deposits (${columns}) select ${columns} from json_to_recordset($1::json) as r (merchant_id text, id text,
       chain_id text, txid text, asset_id text, ordinal int, block_number bigint, block_hash text, block_time bigint,
       log_index int, from_address text, to_address text, amount numeric, counted numeric, usdt_amount numeric,
       fee numeric, trade_no text, kind text, late boolean, state text, doubted boolean, seen_at bigint, credited_at bigint)
     on conflict (/* guard: deposit-key */ chain_id, txid, asset_id, ordinal /* end */) do update set
       merchant_id = excluded.merchant_id,
       block_number = excluded.block_number, block_hash = excluded.block_hash, block_time = excluded.block_time,
       log_index = excluded.log_index, from_address = excluded.from_address, to_address = excluded.to_address,
       amount = excluded.amount, counted = excluded.counted, usdt_amount = excluded.usdt_amount, fee = excluded.fee,
       trade_no = excluded.trade_no, kind = excluded.kind, late = excluded.late, state = excluded.state,
       doubted = excluded.doubted, credited_at = excluded.credited_at`,
    [JSON.stringify(deposits)],
  )

export const deposits: Part<StoredDeposit> = { name: 'deposits', write: writeDeposits }

/**
 * What keeps payments waiting for a person, of those that one of these is in doubt for: deposits in doubt or given up.
 */
export function doubtedOf(c: Queryable, deposits: readonly StoredDeposit[]) {
  const tradeNos = deposits.filter(each => each.doubted && each.trade_no !== null).map(each => each.trade_no)
  return tradeNos.length === 0
    ? Promise.resolve([])
    : q<{ trade_no: string; id: string }>(
        c,
        'deposits-doubted',
        "select trade_no, id from deposits where trade_no = any($1) and (doubted or state = 'undone')",
        [tradeNos],
      )
}

/** One deposit by its id. */
export const readDeposit = (c: Queryable, id: string) =>
  one<StoredDeposit>(c, 'deposit-read', `select ${columns}, gas from deposits where id = $1`, [id])

/** The same, locked. */
export const lockDeposit = (c: Queryable, id: string) =>
  one<StoredDeposit>(c, 'deposit-lock', `select ${columns}, gas from deposits where id = $1 for no key update`, [id])

/** Transactions of deposits in blocks whose gas was not read yet. Those that left the chain have no receipt. */
export async function depositsWithoutGas(c: Queryable, chainId: string, limit: number): Promise<string[]> {
  const rows = await q<{ txid: string }>(
    c,
    'deposits-without-gas',
    `select distinct txid from deposits where chain_id = $1 and not gas_read and state in ('seen', 'credited')
       and not starts_with(txid, '${foundPrefix}') limit $2`,
    [chainId, limit],
  )
  return rows.map(row => row.txid)
}

/** Writes what transactions cost, in base units of the native coin. */
export async function writeGas(
  c: Queryable,
  chainId: string,
  costs: readonly { txid: string; gas: bigint }[],
): Promise<void> {
  if (costs.length === 0) return
  await q(
    c,
    'deposits-gas',
    `update deposits d set gas = r.gas, gas_read = true
     from json_to_recordset($2::json) as r (txid text, gas numeric) where d.chain_id = $1 and d.txid = r.txid`,
    [chainId, JSON.stringify(costs.map(({ txid, gas }) => ({ txid, gas: String(gas) })))],
  )
}
