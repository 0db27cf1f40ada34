import type { Transfer } from '@coffer/chains'
import { matchPaymentByLease, matchPaymentByReservation } from '@coffer/core'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import type { UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { isWatchedSql } from '../chains/assets.ts'
import { recordKnownAddresses } from '../destinations/known-addresses.ts'
import { reconciledTxidPrefix } from '../payments/to-deposit-view.ts'

/**
 * A deposit as commands work with it. Amounts are decimal digits in base units: `counted` is its value in the asset
 * that its payment asks for, `usdt_amount` its value in USDT with 18 decimals at the payment’s locked rate (0 without
 * one), `gas` is the fee of its transaction in the native coin, set by `writeDepositGas`. `trade_no` is null for a
 * recharge.
 * `held_at`: since when it is final and waits, see `TokenGate`. `returned`: it was credited to be given back to its
 * sender. `doubted`: the deposit is credited, but its block left the chain; an operator has to decide.
 */
export type StoredDeposit = Statements['deposit-read']['row']

/** Columns of StoredDeposit, without `gas`. */
export const storedDepositColumns = `merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
  from_address, to_address, amount, counted, usdt_amount, fee, trade_no, kind, late, state, doubted, seen_at, credited_at, held_at,
  returned`

const match = all(
  'deposits-match',
  `select t.place, s.id as asset_id, d.merchant_id, d.purpose, d.key_index, u.aside, u.last_block as aside_to, (
       select json_agg(json_build_object('tradeNo', a.trade_no, 'since', a.since,
         'fits', p.asset_id = s.id and p.amount = t.amount,
         'isPaid', exists (select from deposits x where x.merchant_id = a.merchant_id and x.trade_no = a.trade_no
           and x.txid <> t.txid and x.state in ('seen', 'credited'))))
       from address_leases a join payments p on p.merchant_id = a.merchant_id and p.trade_no = a.trade_no
       where d.purpose = 'lease' and a.chain_kind = d.chain_kind and a.address = d.address
     ) as leases, (
       select json_agg(json_build_object('tradeNo', a.trade_no, 'since', a.since, 'until', a.until))
       from address_amounts a where d.purpose = 'fixed' and a.chain_kind = d.chain_kind and a.address = d.address
         and a.asset_id = s.id and a.amount = t.amount
     ) as reservations, exists (
       select from deposit_addresses f where f.chain_kind = h.kind and f.address = t."from") as internal
   from json_to_recordset($2::json) as t (place int, txid text, token text, "from" text, "to" text, amount numeric)
   join chains h on h.id = $1
   join assets s on s.chain_id = h.id and ${isWatchedSql('s')} and s.hold is distinct from 'refused'
     and /* guard: contract-of-asset */ coalesce(s.contract, '') = coalesce(t.token, '') /* end */
   join deposit_addresses d on d.chain_kind = h.kind and d.address = t."to" and not exists (
     select from own_transactions o where o.chain_id = h.id and o.txid = t.txid and o.address = d.address)
   left join dust u on s.minimum > 0 and u.chain_id = h.id and u.asset_id = s.id and u.address = d.address`,
)

/**
 * The owner of a transfer. `place` is the index of the transfer in the list passed in; `trade_no` is null for a
 * recharge. `internal`: the sender is one of our addresses.
 */
export type TransferMatch = Pick<StoredDeposit, 'asset_id' | 'merchant_id' | 'trade_no'> & {
  place: number
  internal: boolean
  /** Whether its address is leased by payments. */
  leased: boolean
  key_index: number
  /** What was set aside of the asset at its address, and up to which block. */
  aside: bigint
  asideTo: number
}

/** Finds the transfers to our addresses in enabled assets. */
export async function matchTransfers(
  c: Queryable,
  chainId: string,
  transfers: readonly Transfer[],
): Promise<TransferMatch[]> {
  if (transfers.length === 0) return []
  const rows = transfers.map(({ txid, token, from, to, amount }, place) => ({
    place,
    txid,
    token,
    from,
    to,
    amount: String(amount),
  }))
  const found = await match(c, chainId, JSON.stringify(rows))
  return found.map(({ leases, reservations, purpose, aside, aside_to, ...row }) => {
    const { blockTime } = transfers[row.place]!
    const leased = purpose === 'lease'
    const trade_no = leased
      ? matchPaymentByLease(leases ?? [], blockTime)
      : matchPaymentByReservation(reservations ?? [], blockTime)
    return { ...row, leased, aside: aside ?? 0n, asideTo: aside_to ?? -1, trade_no }
  })
}

const ofBlock = all(
  'deposits-of-block',
  // Lateral, so that each key is an index lookup: with stale statistics of a growing table the planner would scan it.
  `select * from (
     select ${storedDepositColumns}, gas from deposits where chain_id = $1 and state = 'seen' and block_number <= $2
       and (held_at is null or block_number >= $4)
     union
     select d.* from json_to_recordset($3::json) as r (txid text, asset_id text, ordinal int)
     cross join lateral (select ${storedDepositColumns}, gas from deposits
       where chain_id = $1 and txid = r.txid and asset_id = r.asset_id and (ordinal = r.ordinal or ordinal < 0)
         and not replaced) d
   ) d order by block_number, log_index`,
)

/**
 * Deposits that a block may change, in chain order: unconfirmed ones up to the confirmed height, of those that are held
 * only those in blocks from `settledFrom` on, and those that match its transfers by transaction, asset and ordinal,
 * which a reorg does not change. `ordinal` is the position of the log in the receipt of its transaction; below zero it
 * is not known, and -1 - ordinal is the place among the transfers that were read.
 */
export const depositsOfBlock = (
  c: Queryable,
  chainId: string,
  { final, settledFrom }: { final: number; settledFrom: number },
  keys: readonly { txid: string; asset_id: string; ordinal: number }[],
) => ofBlock(c, chainId, final, JSON.stringify(keys), settledFrom)

/** Sets the position of a deposit that was stored without it. */
export const setDepositPosition = run(
  'deposit-place',
  'update deposits set ordinal = $3 where merchant_id = $1 and id = $2',
)

/** Frees the key of a deposit that another one replaces, and ends it. */
export const markDepositReplaced = run(
  'deposit-replace',
  "update deposits set replaced = true, state = 'undone', doubted = false where merchant_id = $1 and id = $2",
)

/** The lowest block with an unconfirmed deposit up to a height that is not held; null if there is none. */
export const findLowestUnconfirmedBlock = async (
  c: Queryable,
  chainId: string,
  final: number,
): Promise<number | null> => (await unconfirmedFrom(c, chainId, final))?.number ?? null

const unconfirmedFrom = first(
  'deposits-unconfirmed-from',
  `select min(block_number) as number from deposits where chain_id = $1 and state = 'seen' and block_number <= $2
     and held_at is null`,
)

/** Seen and credited deposits in blocks above a height. */
export const depositsAbove = all(
  'deposits-above',
  // The upper limit tells PostgreSQL that the range is short.
  `select ${storedDepositColumns}, gas from deposits where chain_id = $1 and block_number > $2 and block_number < $2::bigint + 1000000000000
     and state in ('seen', 'credited') order by block_number, log_index`,
)

/** Blocks up to a height that hold deposits which are not in doubt: the 1,000 highest, highest first. */
export const blocksOfDeposits = all(
  'deposits-blocks',
  `select block_number as number, block_hash as hash from deposits
   where chain_id = $1 and block_number <= $2 and state in ('seen', 'credited') and not doubted
   group by block_number, block_hash order by block_number desc limit 1000`,
)

/** What a known deposit changes. */
const changing =
  `merchant_id block_number block_hash block_time log_index from_address to_address amount counted usdt_amount fee
  trade_no kind late state doubted credited_at held_at returned`.split(/\s+/)

const write = run(
  'deposits-write',
  // The chain is locked, so that nobody else inserts. `on conflict` would log a lock and a confirmation of each row.
  `with given as materialized (
     select * from json_to_recordset($1::json) as r (merchant_id text, id text, chain_id text, txid text, asset_id text,
       ordinal int, block_number bigint, block_hash text, block_time bigint, log_index int, from_address text,
       to_address text, amount numeric, counted numeric, usdt_amount numeric, fee numeric, trade_no text, kind text,
       late boolean, state text, doubted boolean, seen_at bigint, credited_at bigint, held_at bigint, returned boolean)
   ), known as (
     update deposits d set ${changing.map(column => `${column} = r.${column}`)} from given r where /* guard: deposit-key */ d.chain_id = r.chain_id
       and d.txid = r.txid and d.asset_id = r.asset_id and d.ordinal = r.ordinal and not d.replaced /* end */
     returning d.txid, d.asset_id, d.ordinal
   )
   insert into deposits (${storedDepositColumns}) select ${storedDepositColumns} from given r
   where not exists (select from known k where k.txid = r.txid and k.asset_id = r.asset_id and k.ordinal = r.ordinal)`,
)

/** Inserts new deposits and updates known ones. */
export const deposits: UnitOfWorkPart<StoredDeposit> = {
  name: 'deposits',
  write: async (c, rows) => {
    await write(c, toJson(rows))
    const paid = rows.filter(each => each.from_address !== '' && each.state === 'credited')
    await recordKnownAddresses(
      c,
      paid.map(({ merchant_id, chain_id, from_address: address }) => ({ merchant_id, chain_id, address, payer: true })),
    )
  },
}

/** Only with their merchants does every supported PostgreSQL find payments in the index. */
const inDoubt = all(
  'deposits-doubted',
  `select trade_no, id from deposits
   where merchant_id = any($1) and trade_no = any($2) and (doubted or state = 'undone') and not returned`,
)

/** Doubted and undone deposits of the payments to which the doubted ones among `deposits` belong. */
export async function readDepositsInDoubt(c: Queryable, deposits: readonly StoredDeposit[]) {
  const paid = deposits.filter(each => each.doubted && each.trade_no)
  if (paid.length === 0) return []
  const merchants = new Set(paid.map(each => each.merchant_id))
  return inDoubt(
    c,
    [...merchants],
    paid.flatMap(each => each.trade_no ?? []),
  )
}

/** One deposit by its id. */
export const readDeposit = first('deposit-read', `select ${storedDepositColumns}, gas from deposits where id = $1`)

/** Reads and locks one deposit. */
export const lockDeposit = first(
  'deposit-lock',
  `select ${storedDepositColumns}, gas from deposits where id = $1 for no key update`,
)

const withoutGas = all(
  'deposits-without-gas',
  `select distinct txid from deposits where chain_id = $1 and not gas_read and state in ('seen', 'credited')
     and not starts_with(txid, '${reconciledTxidPrefix}') limit $2`,
)

/**
 * Transactions of seen and credited deposits whose gas is not read yet. Transactions that left the chain have no
 * receipt.
 */
export const listTxidsWithoutGas = async (c: Queryable, chainId: string, limit: number): Promise<string[]> =>
  (await withoutGas(c, chainId, limit)).map(row => row.txid)

const setGas = run(
  'deposits-gas',
  `update deposits d set gas = r.gas, gas_read = true
   from json_to_recordset($2::json) as r (txid text, gas numeric) where d.chain_id = $1 and d.txid = r.txid and not d.replaced
   and exists (select from chains c where c.id = $1 and c.fence = coalesce($3, c.fence))`,
)

/**
 * Writes transaction fees, in base units of the native coin, unless another process (`fence`: ours) follows the chain
 * now.
 */
export async function writeDepositGas(
  c: Queryable,
  { chainId, fence }: { chainId: string; fence: number | undefined },
  costs: readonly { txid: string; gas: bigint }[],
): Promise<void> {
  if (costs.length === 0) return
  await setGas(c, chainId, toJson(costs), fence ?? null)
}
