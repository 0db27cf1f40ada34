import type { Transfer } from '@coffer/chains'
import { one, type Queryable, q } from '../../kit/db.ts'
import { foundPrefix } from '../payments/deposit-view.ts'

/** Seconds that a chain's clock may be behind ours: the time of a block is that of its beginning. */
const clockSeconds = 60

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

/**
 * Finds the transfers that are ours and of an asset we take. A leased address belongs to the payment whose lease had
 * begun when the block was made; to the first payment where the chain's clock is behind ours. At a fixed address it is the
 * exact amount that tells which payment it is for, if any.
 */
export const matchTransfers = (c: Queryable, chainId: string, transfers: readonly Transfer[]) =>
  transfers.length === 0
    ? Promise.resolve([])
    : q<Match>(
        c,
        'deposits-match',
        `select t.place, s.id as asset_id, d.merchant_id, coalesce(l.trade_no, r.trade_no) as trade_no
         from json_to_recordset($2::json) as t (place int, txid text, token text, "to" text, amount numeric,
           time bigint)
         join chains h on h.id = $1
         join assets s on s.chain_id = h.id and s.enabled and coalesce(s.contract, '') = coalesce(t.token, '')
         join deposit_addresses d on d.chain_kind = h.kind and d.address = t."to" and not exists (
           select from own_transactions o where o.chain_id = h.id and o.txid = t.txid and o.address = d.address)
         left join lateral (
           select a.trade_no from address_leases a where a.chain_kind = d.chain_kind and a.address = d.address
           order by a.since <= t.time desc, abs(a.since - t.time) limit 1
         ) l on d.purpose = 'lease'
         left join lateral (
           select a.trade_no from address_amounts a where a.chain_kind = d.chain_kind and a.address = d.address
             and a.asset_id = s.id and a.amount = t.amount and t.time between a.since - ${clockSeconds} and a.until
           order by a.since <= t.time desc, a.since desc limit 1
         ) r on d.purpose = 'fixed'`,
        [
          chainId,
          JSON.stringify(
            transfers.map(({ txid, token, to, amount, blockTime }, place) => ({
              place,
              txid,
              token,
              to,
              amount: String(amount),
              time: blockTime,
            })),
          ),
        ],
      )

/** The deposits that a block's transfers were before: by transaction, asset and ordinal, which a reorg does not change. */
export const depositsOfTransfers = (
  c: Queryable,
  chainId: string,
  keys: readonly { txid: string; asset_id: string; ordinal: number }[],
) =>
  keys.length === 0
    ? Promise.resolve([])
    : q<StoredDeposit>(
        c,
        'deposits-of-transfers',
        // Row by row, or the planner, before it has met a growing table again, reads all of it for a few.
        `select d.* from json_to_recordset($2::json) as r (txid text, asset_id text, ordinal int)
         cross join lateral (select ${columns} from deposits
           where chain_id = $1 and txid = r.txid and asset_id = r.asset_id and ordinal = r.ordinal limit 1) d`,
        [chainId, JSON.stringify(keys)],
      )

/** What waits to be credited and is deep enough now. */
export const ripeDeposits = (c: Queryable, chainId: string, final: number) =>
  q<StoredDeposit>(
    c,
    'deposits-ripe',
    `select ${columns} from deposits where chain_id = $1 and state = 'seen' and block_number <= $2
     order by block_number, log_index`,
    [chainId, final],
  )

/** What was seen in blocks above a height. */
export const depositsAbove = (c: Queryable, chainId: string, height: number) =>
  q<StoredDeposit>(
    c,
    'deposits-above',
    `select ${columns} from deposits where chain_id = $1 and block_number > $2 and state in ('seen', 'credited')
     order by block_number, log_index`,
    [chainId, height],
  )

/** Writes deposits as they are now, new ones and known ones, in one statement. */
export async function writeDeposits(c: Queryable, deposits: readonly StoredDeposit[]): Promise<void> {
  if (deposits.length === 0) return
  await q(
    c,
    'deposits-write',
    `insert into deposits (${columns}) select ${columns} from json_to_recordset($1::json) as r (merchant_id text, id text,
       chain_id text, txid text, asset_id text, ordinal int, block_number bigint, block_hash text, block_time bigint,
       log_index int, from_address text, to_address text, amount numeric, counted numeric, usdt_amount numeric,
       fee numeric, trade_no text, kind text, late boolean, state text, doubted boolean, seen_at bigint, credited_at bigint)
     on conflict (chain_id, txid, asset_id, ordinal) do update set merchant_id = excluded.merchant_id,
       block_number = excluded.block_number, block_hash = excluded.block_hash, block_time = excluded.block_time,
       log_index = excluded.log_index, from_address = excluded.from_address, to_address = excluded.to_address,
       amount = excluded.amount, counted = excluded.counted, usdt_amount = excluded.usdt_amount, fee = excluded.fee,
       trade_no = excluded.trade_no, kind = excluded.kind, late = excluded.late, state = excluded.state,
       doubted = excluded.doubted, credited_at = excluded.credited_at`,
    [JSON.stringify(deposits)],
  )
}

/** What keeps payments waiting for a person, of those that one of these is in doubt for: deposits in doubt or given up. */
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
  one<StoredDeposit>(c, 'deposit-read', `select ${columns} from deposits where id = $1`, [id])

/** The same, locked. */
export const lockDeposit = (c: Queryable, id: string) =>
  one<StoredDeposit>(c, 'deposit-lock', `select ${columns} from deposits where id = $1 for no key update`, [id])

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
