import { all, first, type Queryable, run } from '../../kit/db.ts'
import { isSiblingSql } from '../chains/assets.ts'
import { type StoredDeposit, storedDepositColumns } from './store.ts'
import { siblingIncidentKind } from './watch-siblings.ts'

/** Held deposits decided at once. */
const batchSize = 50

/**
 * Held deposits of tokens that are not on hold and no siblings, oldest first; `refused`: their token is refused,
 * `contract` that of the token.
 */
export const undecidedDeposits = all(
  'deposits-undecided',
  `select d.*, a.contract, a.hold is not null as refused, a.compared from (
     select ${storedDepositColumns}, gas from deposits where chain_id = $1 and held_at is not null
   ) d join assets a on a.id = d.asset_id
   where a.hold is distinct from 'held' and not ${isSiblingSql('a')} and a.contract is not null order by d.block_number, d.log_index limit ${batchSize}`,
)

/**
 * Deposits of new tokens that are not credited, as in `undecidedDeposits`, the oldest of each; `first`: how many of a
 * token are compared before it is no longer new.
 */
export const listNewTokenDeposits = all(
  'deposits-of-new',
  `select d.*, a.contract from assets a cross join lateral (
     select ${storedDepositColumns}, gas from deposits where chain_id = $1 and asset_id = a.id and state = 'seen' order by block_number limit $2
   ) d where a.chain_id = $1 and a.contract is not null and a.hold is null and a.compared < $2`,
)

const toDecide = all(
  'deposits-chains-to-decide',
  `select h.id from chains h
   where exists (select from deposits d where d.chain_id = h.id and d.held_at is not null)
     or exists (select from incidents i where i.chain_id = h.id and i.kind = '${siblingIncidentKind}' and i.resolved_at is null)
     or exists (select from assets a where a.chain_id = h.id and a.contract is not null and a.hold is null and a.compared < $1
       and exists (select from deposits d where d.chain_id = a.chain_id and d.asset_id = a.id and d.state = 'seen'))`,
)

/**
 * The chains with deposits as in `undecidedDeposits` or `listNewTokenDeposits`, or with deposits of siblings, now or
 * by an
 * open incident.
 */
export const chainsToDecide = async (c: Queryable, first: number): Promise<Set<string>> =>
  new Set((await toDecide(c, first)).map(({ id }) => id))

/** Reads and locks those of the deposits that are held still. */
export const lockHeldDeposits = all(
  'deposits-lock-held',
  `select ${storedDepositColumns}, gas from deposits where chain_id = $1 and id = any($2) and held_at is not null and state = 'seen'
   order by block_number, log_index for no key update`,
)

const known = first(
  'deposits-known',
  `with paid as (
     select trade_no from address_leases where chain_kind = $4 and address = $3
     union select trade_no from address_amounts where chain_kind = $4 and address = $3
   ), received as (
     select d.amount from paid p join deposits d on d.merchant_id = $5 and d.trade_no = p.trade_no
       where d.kind = 'payment' and d.to_address = $3 and d.chain_id = $1 and d.asset_id = $2 and d.state in ('seen', 'credited')
         and not d.doubted and d.block_number <= $6
     union all select d.amount from deposits d where d.merchant_id = $5 and d.to_address = $3 and d.kind = 'recharge' and d.chain_id = $1
       and d.asset_id = $2 and d.state in ('seen', 'credited') and not d.doubted and d.block_number <= $6
   )
   select (select coalesce(sum(amount), 0) from received) - (select coalesce(sum(s.amount), 0) from sweeps s
       where s.chain_id = $1 and s.asset_id = $2 and s.address = $3 and s.state = 'swept') as amount,
     exists (select from own_transactions o where o.chain_id = $1 and o.address = $3 and o.settled_block is null
       and o.absent_to is null) as moving`,
)

/**
 * Returns what the address of a deposit must hold of its token at least, by the deposits up to a block and by sweeps,
 * and whether a transaction of ours is under way there. One that a deep reorg took away is not counted as such: until
 * it is in a block again the address holds more.
 */
export const readExpectedTokenBalance = async (c: Queryable, kind: string, deposit: StoredDeposit, upTo: number) =>
  (await known(c, deposit.chain_id, deposit.asset_id, deposit.to_address, kind, deposit.merchant_id, upTo))!

/** Puts a token on hold. Affects no row if it is already, or is refused. */
export const putTokenOnHold = run('asset-hold', `update assets set hold = 'held' where id = $1 and hold is null`)

/** Notes comparisons that agreed, and the number of deposits until the next one once the first ($4) have. */
export const recordComparisons = run(
  'asset-compared',
  `update assets set compared = compared + $2, compare_in = case when compared + $2 < $4 then 0 else $3 end where id = $1`,
)
