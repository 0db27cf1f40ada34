import type { Transfer } from '@coffer/chains'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import type { UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { isSiblingSql, isWatchedSql } from '../chains/assets.ts'

export type Sweep = Statements['sweeps-lock']['row']
/**
 * An address with credited deposits that no sweep covers. `since`: when the oldest was credited; `asked`: by the
 * operator; `wanted`: by its merchant; `automatic` and `minimum`: what the merchant has set; `signature`: the imported
 * authorization, in vault mode only.
 */
export type SweepCandidate = Statements['sweep-candidates']['row']

/** Largest number of addresses considered at once. */
const candidatesMax = 500
/** Seconds before an address whose sweep failed is swept again. */
const failedPause = 86_400

/** Of deposits `d`: no sweep of their address is under way or failed lately, and the issuer does not block it. */
const sweepable = (
  now: string,
) => `and not exists (select from sweeps o where o.chain_id = d.chain_id and o.asset_id = d.asset_id
       and o.address = d.to_address and (o.state in ('funding', 'funded', 'sent')
         or (o.state = 'failed' and o.again_at > ${now})))
     and not exists (select from issuer_blocks b where b.asset_id = d.asset_id and b.address = d.to_address)`

const candidates = all(
  'sweep-candidates',
  `select d.merchant_id, d.to_address as address, a.key_index, a.leased_for, sum(d.amount) as amount, min(d.credited_at) as since,
     coalesce(w.automatic, true) as automatic, w.minimum, z.signature,
     exists (select from sweep_requests r where r.chain_id = $1 and r.merchant_id is null) as asked,
     exists (select from sweep_requests r where r.chain_id = $1 and r.merchant_id = d.merchant_id) as wanted
   from deposits d join deposit_addresses a on a.chain_kind = $3 and a.address = d.to_address
   left join withdrawal_settings w on w.merchant_id = d.merchant_id and w.asset_id = d.asset_id
   left join sweep_authorizations z on z.chain_id = $1 and z.key_index = a.key_index and z.sweeper = $6 and $5
   where (not $5 or a.leased_for = 'token' and z.signature is not null)
     and d.chain_id = $1 and d.asset_id = $2 and d.state = 'credited' and d.sweep_id is null and not d.doubted
     ${sweepable('$4')}
     -- Native coin stays while a sweep of a token needs it for its fee.
     and not exists (select from sweeps s join assets o on o.id = $2 where s.chain_id = $1 and s.address = d.to_address
       and o.contract is null and s.state in ('funding', 'funded', 'sent'))
   group by d.merchant_id, d.to_address, a.key_index, a.leased_for, w.automatic, w.minimum, z.signature
   order by sum(d.amount) desc limit ${candidatesMax}`,
)

const collectable = all(
  'sweep-collectable',
  `select d.asset_id, s.symbol, s.price_of, s.decimals, s.contract, d.to_address as address, a.leased_for, sum(d.amount) as amount
   from deposits d join deposit_addresses a on a.chain_kind = $3 and a.address = d.to_address join assets s on s.id = d.asset_id
   where d.chain_id = $2 and d.merchant_id = $1 and d.state = 'credited' and d.sweep_id is null and not d.doubted and ${isWatchedSql('s')}
     ${sweepable('$4')}
   group by d.asset_id, s.id, d.to_address, a.leased_for order by sum(d.amount) desc limit ${candidatesMax}`,
)

/** Reads the addresses of a merchant that a sweep of a chain could collect, those that hold most first. */
export const readCollectable = (c: Queryable, merchantId: string, chainId: string, kind: string, now: number) =>
  collectable(c, merchantId, chainId, kind, now)

/**
 * Reads the addresses that hold the most of an asset and are not being swept. Those that failed within a day, or that
 * the issuer blocks, are left out, and in vault mode those without an imported authorization.
 */
export const readCandidates = (
  c: Queryable,
  of: { chainId: string; assetId: string; kind: string; isVault: boolean; sweeper: string; now: number },
) => candidates(c, of.chainId, of.assetId, of.kind, of.now, of.isVault, of.sweeper)

const insert = run(
  'sweeps-insert',
  `with made as (
     insert into sweeps (merchant_id, id, chain_id, asset_id, address, key_index, reason, state, weight, created_at, updated_at)
     select merchant_id, id, $1, $2, address, key_index, reason, $3, weight, $5, $5
     from json_to_recordset($4::json) as r (merchant_id text, id text, address text, key_index int, reason text, weight int)
     returning merchant_id, id, address
   )
   update deposits d set sweep_id = made.id from made
   where d.chain_id = $1 and d.asset_id = $2 and d.to_address = made.address and d.state = 'credited' and d.sweep_id is null`,
)

export interface NewSweep {
  merchant_id: string
  id: string
  address: string
  key_index: number
  reason: string
  weight: number
}

/** Inserts sweeps and covers the credited deposits of their addresses by them. */
export const insertSweeps = (
  c: Queryable,
  of: { chainId: string; assetId: string; state: 'funding' | 'funded' | 'sent'; now: number },
  rows: readonly NewSweep[],
) => insert(c, of.chainId, of.assetId, of.state, JSON.stringify(rows), of.now)

export const lockSweeps = all(
  'sweeps-lock',
  `select s.merchant_id, s.id, s.chain_id, s.asset_id, s.address, s.key_index, s.weight, s.state, s.spent, a.contract
   from sweeps s join assets a on a.id = s.asset_id where s.id = any($1) order by s.merchant_id, s.id for update of s`,
)

/**
 * Reads sweeps whose address has received its gas or, on a chain without nonces, waits for the next step; `is_busy`: a
 * transaction of the address is under way, or what another of its sweeps needs.
 */
export const readFundedSweeps = all(
  'sweeps-funded',
  `select s.merchant_id, s.id, s.chain_id, s.asset_id, s.address, s.key_index, s.weight, s.state, s.spent, s.rented_at, a.contract, a.symbol, a.price_of, a.decimals,
     exists (select from outgoing o where o.chain_id = s.chain_id and o.from_address = s.address and o.state in ('assigned', 'sent', 'in_block'))
       or exists (select from sweeps f where f.chain_id = s.chain_id and f.address = s.address and f.state = 'funding') as is_busy
   from sweeps s join assets a on a.id = s.asset_id where s.chain_id = $1 and s.state = 'funded' order by s.created_at, s.id limit 50`,
)

export const setSweepState = run('sweeps-state', 'update sweeps set state = $2, updated_at = $3 where id = any($1)')
const move = first(
  'sweep-move',
  `update sweeps set state = $2, updated_at = $3 where id = $1 and state = 'funded' returning id`,
)
/** Takes a funded sweep to its next state. False where another process, which read it too, was faster. */
export const moveFunded = async (c: Queryable, id: string, state: 'funding' | 'sent', now: number) =>
  (await move(c, id, state, now)) !== undefined

/**
 * What a transaction of its own does for a sweep: brings gas (`burn`: for energy, where an address exists already),
 * lends energy, or takes it back; or pays a payout in its place.
 */
export type SweepStep = 'gas' | 'burn' | 'energy' | 'back' | 'pay'
/** Id of the item that a step is. */
export const formatSweepStepId = (step: SweepStep, sweepId: string) => `${step}:${sweepId}`

/** Reads which steps of a sweep a transaction was or is under way for. */
export const readStepsTaken = all(
  'sweep-steps',
  `select owner_id from outgoing_items where owner = 'sweep' and merchant_id = $1 and owner_id = any($2) and live`,
)
export const markEnergyRented = run(
  'sweep-rented',
  'update sweeps set rented_at = $2 where id = $1 and rented_at is null',
)
/** Adds the fee of a transaction that prepared sweeps. */
export const addSweepFees = run('sweeps-spent', 'update sweeps set spent = spent + $2 where id = any($1)')
/** Notes the staked coin whose energy was lent to the addresses of sweeps, or that it was taken back (0). */
export const setLentEnergy = run('sweeps-lent', 'update sweeps set lent = $2 where id = any($1)')
/** Reads sweeps that have ended and whose address still has lent energy that nothing under way takes back. */
export const readSweepsWithLentEnergy = all(
  'sweeps-to-take-back',
  `select s.merchant_id, s.id, s.key_index, s.lent from sweeps s
   where s.chain_id = $1 and s.lent > 0 and s.state in ('swept', 'failed')
     and not exists (select from outgoing_items i where i.owner = 'sweep' and i.merchant_id = s.merchant_id
       and i.owner_id = 'back:' || s.id and i.live)
   order by s.updated_at limit 50`,
)

/** Records that addresses were swept, by their own transfers; `rows` has the amounts. */
export const markAddressesSwept = run(
  'sweeps-swept',
  `with rows as (
     select id, amount from json_to_recordset($1::json) as r (id text, amount numeric)
   ), done as (
     update sweeps s set state = 'swept', amount = rows.amount, txid = $2, updated_at = $3 from rows where s.id = rows.id
     returning s.chain_id, s.address
   )
   update deposit_addresses a set swept = true from done join chains h on h.id = done.chain_id
   where a.chain_kind = h.kind and a.address = done.address and a.leased_for = 'token'`,
)

const bookForeign = run(
  'sweeps-foreign',
  `with rows as (
     select * from json_to_recordset($2::json) as r (txid text, ordinal int, token text, "from" text, "to" text, amount numeric,
       "blockNumber" bigint, "logIndex" int, "blockTime" bigint)
   ), made as (
     insert into sweeps (merchant_id, id, chain_id, asset_id, address, key_index, reason, state, weight, amount, txid, created_at, updated_at)
     select a.merchant_id, h.id || ':' || r.txid || ':' || r.ordinal, h.id, s.id, a.address, a.key_index, 'foreign', 'swept', 1, r.amount, r.txid, r."blockTime", r."blockTime"
     from rows r join chains h on h.id = $1 join assets s on s.chain_id = h.id and s.contract = r.token
     join deposit_addresses a on a.chain_kind = h.kind and a.address = r."from"
     join house_addresses t on t.chain_kind = h.kind and t.address = r."to"
     where not exists (select from outgoing_attempts o where o.chain_id = h.id and o.txid = r.txid)
     on conflict (id) do nothing returning id, asset_id, address, amount, txid
   ), covered as (
     update deposits d set sweep_id = made.id from made join rows r on made.id = $1 || ':' || r.txid || ':' || r.ordinal
     where d.chain_id = $1 and d.asset_id = made.asset_id and d.to_address = made.address and d.state = 'credited'
       and (d.block_number, d.log_index) < (r."blockNumber", r."logIndex")
       and (d.sweep_id is null or exists (select from sweeps o where o.id = d.sweep_id and o.state in ('funding', 'funded', 'sent')))
   )
   update deposit_addresses a set swept = true from made join chains h on h.id = $1
   where a.chain_kind = h.kind and a.address = made.address and a.leased_for = 'token'`,
)

/**
 * Books final transfers from deposit addresses to the house by transactions that are not ours as sweeps of the deposits
 * before them, also of those that a sweep of ours is under way for. Other transfers change nothing, nor does one that
 * was booked before.
 */
export const foreignSweeps: UnitOfWorkPart<Transfer> = {
  name: 'sweeps',
  write: (c, rows) => bookForeign(c, rows[0]!.chain, toJson(rows)),
}

/**
 * Records that addresses, of sweeps in one state or in any, were not swept; their deposits may be covered by another
 * sweep.
 */
export const markSweepsFailed = run(
  'sweeps-failed',
  `with failed as (
     update sweeps set state = 'failed', txid = $2, updated_at = $3, again_at = $3::bigint + ${failedPause} where id = any($1) and ($4::text is null or state = $4)
     returning merchant_id, id
   )
   update deposits d set sweep_id = null from failed where d.merchant_id = failed.merchant_id and d.sweep_id = failed.id`,
)

/**
 * Reads what the issuer of a token blocks: all sweeps (an empty address), and the addresses that were asked about
 * longest ago.
 */
export const readIssuerBlocks = all(
  'issuer-blocks',
  `select address, asked_at from issuer_blocks where chain_id = $1 and asset_id = $2
   order by address <> '', asked_at limit 50`,
)
export const insertIssuerBlock = run(
  'issuer-block',
  `insert into issuer_blocks (chain_id, asset_id, address, reason, created_at, asked_at) values ($1, $2, $3, $4, $5, $5)
   on conflict (asset_id, address) do update set reason = excluded.reason, asked_at = excluded.asked_at`,
)
export const deleteIssuerBlock = run('issuer-free', 'delete from issuer_blocks where asset_id = $1 and address = $2')
/** Notes that the issuer still blocks an address. */
export const markIssuerBlockChecked = run(
  'issuer-asked',
  'update issuer_blocks set asked_at = $3 where asset_id = $1 and address = $2',
)

/** Reads addresses whose sweeps failed, about which the issuer was not asked since, with their deposits. */
export const readUncheckedFailures = all(
  'sweeps-unasked',
  `select s.address, (select coalesce(sum(d.amount), 0) from deposits d
     where d.chain_id = $1 and d.asset_id = $2 and d.to_address = s.address and d.state = 'credited' and d.sweep_id is null) as amount
   from sweeps s where s.chain_id = $1 and s.asset_id = $2 and s.state = 'failed' and not s.asked
   group by s.address order by s.address limit 50`,
)
/** Notes that the issuer was asked about the sweeps of an address that failed. */
export const markFailuresChecked = run(
  'sweeps-asked',
  `update sweeps set asked = true where chain_id = $1 and asset_id = $2 and address = $3 and state = 'failed' and not asked`,
)
/** Has an address whose sweeps failed be swept again, or all (null) of which the issuer was not asked. */
export const retryFailedSweeps = run(
  'sweeps-again',
  `update sweeps set again_at = $4 where chain_id = $1 and asset_id = $2 and state = 'failed' and again_at > $4
     and case when $3::text is null then not asked else address = $3 end`,
)

export const insertExpenses = run(
  'gas-expenses-insert',
  `insert into gas_expenses (merchant_id, id, chain_id, asset_id, amount, txid, created_at)
   select merchant_id, id, $2, $3, amount, $4, $5 from json_to_recordset($1::json) as r (merchant_id text, id text, amount numeric)`,
)

/** Requests that all deposits on a chain be swept, or those of a merchant. */
export const insertRequest = run(
  'sweep-request',
  'insert into sweep_requests (id, chain_id, merchant_id, created_at) values ($1, $2, $3, $4)',
)
/** Requests that a merchant's deposits on a chain be swept, unless that is requested already. */
export const insertMerchantRequest = run(
  'sweep-request-merchant',
  `insert into sweep_requests (id, chain_id, merchant_id, created_at) select $1, $2, $3, $4
   where not exists (select from sweep_requests where chain_id = $2 and merchant_id = $3)`,
)
export const readRequestedChains = all(
  'sweep-requests-of-merchant',
  'select distinct chain_id from sweep_requests where merchant_id = $1',
)
/** Reads the requests that a pass over a chain serves; later ones are left to the next pass. */
export const readSweepRequests = async (c: Queryable, chainId: string): Promise<string[]> =>
  (await requests(c, chainId)).map(each => each.id)
const requests = all('sweep-requests', 'select id from sweep_requests where chain_id = $1')
export const deleteRequests = run('sweep-requests-done', 'delete from sweep_requests where id = any($1)')

/** Counts sweeps by chain, asset and state, with what waits to be swept, and what the issuer blocks of that. */
export const readSweepStatus = all(
  'sweep-status',
  `select a.chain_id, a.id as asset_id, a.symbol, a.decimals,
     (select count(*) from sweeps s where s.asset_id = a.id and s.state in ('funding', 'funded', 'sent')) as under_way,
     (select count(*) from sweeps s where s.asset_id = a.id and s.state = 'failed' and s.updated_at > $1) as failed,
     w.unswept, w.blocked
   from assets a cross join lateral (
     select coalesce(sum(d.amount) filter (where b.address is null), 0) as unswept,
       coalesce(sum(d.amount) filter (where b.address is not null), 0) as blocked
     from deposits d left join issuer_blocks b on b.asset_id = d.asset_id and b.address = d.to_address
     where d.chain_id = a.chain_id and d.asset_id = a.id and d.state = 'credited' and d.sweep_id is null) w
   where a.enabled or ${isSiblingSql('a')} and (w.unswept > 0 or w.blocked > 0 or exists (select from sweeps s where s.asset_id = a.id))
   order by a.id`,
)

/**
 * Counts what an address sends as gas to a deposit address (`$4`) or to the sweeper (null), besides nonce $3: under
 * way, or voided after $5.
 */
export const countOtherGas = first(
  'sweep-gas-open',
  `select count(*) as n from outgoing where chain_id = $1 and from_address = $2 and nonce <> $3 and intent ->> 'kind' = 'gas'
     and (intent ->> 'index')::int is not distinct from $4::int
     and (state in ('assigned', 'sent', 'in_block') or (state = 'void' and updated_at > $5))`,
)

/**
 * Reads what addresses send themselves and that has waited since before $2, with its highest fee; 0 if it is not
 * signed. Those whose address is being sent gas are left out.
 */
export const readWaitingSweeps = all(
  'sweeps-waiting',
  `select o.from_address as address, o.nonce, w.key_index, o.gas, o.intent, o.cancel_reason,
     coalesce((select max(a.max_fee) from outgoing_attempts a
       where a.chain_id = o.chain_id and a.from_address = o.from_address and a.nonce = o.nonce), 0) as max_fee
   from outgoing o join wallets w on w.chain_id = o.chain_id and w.address = o.from_address
   where o.chain_id = $1 and w.role = 'deposit' and o.state in ('assigned', 'sent') and o.updated_at <= $2
     and not exists (select from outgoing g where g.chain_id = o.chain_id and g.state in ('assigned', 'sent', 'in_block')
       and g.intent ->> 'kind' = 'gas' and (g.intent ->> 'index')::int = w.key_index)
   order by o.from_address, o.nonce limit 50`,
)

/**
 * Reads sweeps of single addresses that are in no block, and were made or taken up again before $2. Those whose address
 * is being sent gas are left out.
 */
export const readUnminedSweeps = all(
  'sweeps-unmined',
  `select o.from_address as address, o.nonce, o.intent
   from outgoing o join wallets w on w.chain_id = o.chain_id and w.address = o.from_address
   where o.chain_id = $1 and w.role = 'deposit' and o.state in ('assigned', 'sent') and o.intent ->> 'kind' = 'sweep'
     and o.cancel_reason is null and greatest(o.created_at, o.reopened_at) <= $2
     and not exists (select from outgoing g where g.chain_id = o.chain_id and g.state in ('assigned', 'sent', 'in_block')
       and g.intent ->> 'kind' = 'gas' and (g.intent ->> 'index')::int = w.key_index)
   order by o.created_at, o.from_address limit 50`,
)

/**
 * Counts what has a claim to the coin of an address: its own transactions before nonce $3, and, for native coin ($4),
 * sweeps that were sent gas.
 */
export const countCoinClaims = first(
  'sweep-coin-claims',
  `select (select count(*) from outgoing where chain_id = $1 and from_address = $2 and nonce < $3 and state in ('assigned', 'sent', 'in_block'))
     + (select count(*) from sweeps where $4 and chain_id = $1 and address = $2 and state in ('funding', 'funded')) as n`,
)
