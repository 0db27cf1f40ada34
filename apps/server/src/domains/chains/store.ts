import type { BlockRef } from '@coffer/chains'
import { copySwitch } from '../../kit/copy-switch.ts'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import { insertNotificationForAll } from '../../kit/outbox.ts'
import type { UnitOfWork, UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { isWatchedSql, type WatchedAssets } from './assets.ts'

/**
 * How far a chain is read. Times are Unix seconds. `last_number` is null until a block was applied, `last_hash` also
 * after `deleteBlocksAbove` without one.
 */
export type ChainRow = Statements['chain-read']['row']

const columns = `id, kind, definition, enabled, last_number, last_hash, last_time, final_number, head_number, read_at, halted, fence`

export const readChain = first('chain-read', `select ${columns} from chains where id = $1`)

/** Reads a chain and locks it: changes to a chain are serialized. */
export const lockChain = first(
  'chain-lock',
  `select ${columns} from chains where id = $1 /* guard: chain-lock */ for no key update /* end */`,
)

/** Reads all chains, disabled ones included. */
export const allChains = all('chains-all', `select ${columns} from chains order by id`)

/** Reads the stored blocks, oldest first. */
export const storedBlocks = all(
  'chain-blocks',
  'select number, hash, time from chain_blocks where chain_id = $1 order by number',
)

const append = run(
  'chain-append',
  `with moved as (
     update chains set last_number = $2, last_hash = $3, last_time = $5, final_number = greatest(final_number, $6),
       head_number = greatest(head_number, $2) where id = $1
   ), forgotten as (
     delete from chain_blocks where chain_id = $1 and number < $7
   )
   insert into chain_blocks (chain_id, number, hash, parent_hash, time) values ($1, $2, $3, $4, $5)`,
)

const appendNext = run(
  'chain-append-empty',
  `with moved as (
     update chains h set last_number = $2, last_hash = $3, last_time = $5, final_number = greatest(final_number, $6),
       head_number = greatest(head_number, $2)
     where h.id = $1 /* guard: empty-as-read */ and h.halted is null
       and h.fence = coalesce($8, h.fence) and h.last_number = $9 - 1 and (h.last_hash is null or h.last_hash = $10)
       and coalesce((select next_index from address_counters c where c.chain_kind = h.kind), 0) <= $11
       and array(select a.contract from assets a where a.chain_id = $1 and a.contract is not null and ${isWatchedSql('a')}
         order by a.contract collate "C") = $12::text[]
       and exists (select from assets a where a.chain_id = $1 and a.contract is null and ${isWatchedSql('a')}) = $13::bool
       and not exists (select from deposits d where d.chain_id = $1 and d.state = 'seen' and d.block_number <= $6
         and (d.held_at is null or d.block_number >= $14)) /* end */
     returning h.id
   ), forgotten as (
     delete from chain_blocks where chain_id in (select id from moved) and number < $7
   )
   insert into chain_blocks (chain_id, number, hash, parent_hash, time) select id, $2, $3, $4, $5 from moved`,
)

/** Number of final blocks that stay stored, to find the ancestor of a deep reorg. */
const storedFinalBlocks = 200

/** Stores the next block and deletes blocks far below the final one. */
export const appendBlock = (c: Queryable, chainId: string, block: BlockRef, final: number) =>
  append(c, chainId, block.number, block.hash, block.parentHash, block.time, final, final - storedFinalBlocks)

/**
 * Stores the next block, or a range, that has no transfers to us and with which no deposit becomes final, in one
 * statement; returns false, and changes nothing, where anything is not as `of` says, or a deposit may change.
 * @param of the number and parent of the first block; the fence, or null; how many addresses and which assets were
 *   watched
 */
export async function appendEmptyBlocks(
  c: Queryable,
  chainId: string,
  block: BlockRef,
  of: {
    from: number
    parentHash: string
    final: number
    settledFrom: number
    fence: number | null
    addresses: number
    watched: WatchedAssets
  },
): Promise<boolean> {
  const { from, parentHash, final, settledFrom, fence, addresses, watched: assets } = of
  const { number, hash, parentHash: parent, time } = block
  const stored = [chainId, number, hash, parent, time, final, final - storedFinalBlocks] as const
  return (await appendNext(c, ...stored, fence, from, parentHash, addresses, ...assets, settledFrom)) > 0
}

const unwind = run(
  'chain-unwind',
  `with forgotten as (
     delete from chain_blocks where chain_id = $1 and number > $2
   )
   update chains set last_number = $2, last_hash = $3, final_number = least(final_number, $2), head_number = $2,
     last_time = coalesce((select max(time) from chain_blocks where chain_id = $1 and number <= $2), last_time),
     compared_time = least(compared_time, (select max(time) from chain_blocks where chain_id = $1 and number <= $2))
   where id = $1`,
)

/**
 * The last block that a reorg left in place. The hash is null when none of our blocks is: then only a height is known.
 */
export type Ancestor = { number: number; hash: string | null }

/** Deletes the blocks above an ancestor, which becomes the last one. */
export const deleteBlocksAbove = (c: Queryable, chainId: string, { number, hash }: Ancestor) =>
  unwind(c, chainId, number, hash)

/**
 * Stores the height of the nodes and when one answered, unless another process ($4: our fence, or null) follows the
 * chain now.
 */
export const touchChain = run(
  'chain-touch',
  // Skips most writes: only timeouts and people read it.
  `update chains set read_at = $3, head_number = $2
   where id = $1 and (read_at < $3 - 4 or head_number <> $2) and fence = coalesce($4, fence)`,
)

// Leases end by the database's clock: those of processes differ.
const now = 'extract(epoch from clock_timestamp())::bigint'

/** How long a lease lasts (seconds). */
export const chainLeaseSeconds = 6

/** How long whoever should follow a chain has to take what was left to it (seconds), before any other server does. */
const chainYieldSeconds = 4
/** In place of a presence lock: the chain is left to whoever should follow it. */
const leftToAnother = -1

/**
 * Leases a chain to one follower for six seconds; undefined while another has it and its presence lock ($2: ours) is
 * held, or while it is left to the one that should follow it ($3: whether we are that). Each lease has a higher fence.
 */
export const leaseChain = first(
  'chain-lease',
  `update chains set fence = fence + 1, leased_until = ${now} + ${chainLeaseSeconds}, leased_by = $2
   where id = $1 and (leased_until <= ${now} or case leased_by when ${leftToAnother} then $3::boolean
     else pg_try_advisory_xact_lock(leased_by) end) returning fence`,
)

/** Extends a lease. Affects no row if another process has leased the chain since. */
export const renewChainLease = run(
  'chain-lease-renew',
  `update chains set leased_until = ${now} + ${chainLeaseSeconds}, leased_by = $3 where id = $1 and fence = $2`,
)

/** Ends a lease early: anybody may have it, or, where it is left to another ($3), that one first. */
export const releaseChainLease = run(
  'chain-lease-end',
  `update chains set leased_until = case when $3::boolean then ${now} + ${chainYieldSeconds} else 0 end,
     leased_by = case when $3 then ${leftToAnother} else leased_by end where id = $1 and fence = $2`,
)

/** Stores the time of the block at which all balances in question were compared. */
export const setBalancesComparedTime = run(
  'chain-compared',
  'update chains set compared_time = $2 where id = $1 and compared_time < $2',
)

const setHalted = run('chain-halt', 'update chains set halted = $2 where id = $1')

/** Halts a chain for a reason, or resumes it (null), and notifies every merchant. */
export async function haltOrResume(
  uow: UnitOfWork,
  { id, definition }: Pick<ChainRow, 'id' | 'definition'>,
  reason: string | null,
  now: number,
): Promise<void> {
  await setHalted(uow.c, id, reason)
  await insertNotificationForAll(uow, {
    name: reason === null ? 'chain_resumed' : 'chain_halted',
    params: { chain: definition.name },
    created_at: now,
  })
}

const insertReread = run(
  'chain-reread-ask',
  `update chains set reread_from = least(coalesce(reread_from, $2), $2) where id = $1 and enabled and final_number >= $2
   returning 1 as asked`,
)

/** Requests that final blocks from a number on are read again; returns false when there are none. */
export const requestReread = async (c: Queryable, chainId: string, from: number): Promise<boolean> =>
  (await insertReread(c, chainId, from)) > 0

/** Name of the switch that lets a reread change something; without it the reread is a preview. */
export const rereadApplySwitchName = (chainId: string) => `reread:${chainId}` as const

const readReread = first('chain-reread-from', 'select reread_from from chains where id = $1')

/** Returns the first final block to read again, or null. */
export const readRereadStart = async (c: Queryable, chainId: string): Promise<number | null> =>
  (await readReread(c, chainId))?.reread_from ?? null

const rereads = all('chains-rereads', 'select id from chains where reread_from is not null order by id')

/** Returns the chains of which blocks are to be read again. */
export const chainsToReread = async (c: Queryable): Promise<string[]> => (await rereads(c)).map(({ id }) => id)

/** Moves the first block to read again from $2 to $3, unless it was changed by another request meanwhile. */
export const advanceReread = run(
  'chain-reread',
  'update chains set reread_from = $3 where id = $1 and reread_from = $2',
)

/** Something that the operator has to look into. */
export type NewIncident = Omit<Statements['incident-lock']['row'], 'part_of'>

/** Kinds that one cause has on a chain: what a thief leaves, and blocks that were not read as they are. */
const causes = [
  ['shortage', 'wallet_halted', 'native_missing'],
  ['surplus', 'reread_preview', 'undone_deposit_is_back'],
]
const sameCause = causes
  .map(each => each.map(kind => `'${kind}'`).join(', '))
  .map(kinds => `(r.kind in (${kinds}) and i.kind in (${kinds}))`)
  .join(' or ')

const insert = run(
  'incidents-insert',
  `insert into incidents (id, kind, chain_id, detail, created_at, part_of)
   select r.id, r.kind, r.chain_id, r.detail, r.created_at, (
     select coalesce(i.part_of, i.id) from incidents i
     where i.chain_id = r.chain_id and i.resolved_at is null and (${sameCause}) order by i.created_at, i.id limit 1)
   from json_to_recordset($1::json) as r (id text, kind text, chain_id text, detail jsonb, created_at bigint)`,
)

/** Until the transaction ends, no other one records incidents of the chain. */
export const lockIncidents = run(
  'incidents-lock',
  `select pg_advisory_xact_lock(hashtextextended('incidents ' || $1::text, 0))`,
)

/**
 * Records incidents, each as a part of the open one with the same cause. Incidents of a chain are recorded one after
 * the other: those that one cause makes at the same moment would not see each other.
 */
export async function insertIncidents(c: Queryable, rows: readonly NewIncident[]): Promise<void> {
  for (const id of [...new Set(rows.map(row => row.chain_id))].sort()) if (id !== null) await lockIncidents(c, id)
  for (const row of rows) await insert(c, toJson([row]))
}

export const incidents: UnitOfWorkPart<NewIncident> = { name: 'incidents', write: insertIncidents }

/** Reads the open incident of a deep reorg that halted a chain, with the common ancestor. */
export const readDeepReorgIncident = first(
  'incident-deep-reorg',
  `select id, detail from incidents where chain_id = $1 and kind = 'deep_reorg' and resolved_at is null
   order by created_at desc, id desc limit 1`,
)

/** Reads open incidents of some kinds, or of all (null): the 100 oldest, oldest first. */
export const listOpenIncidents = all(
  'incidents-open',
  `select id, kind, chain_id, detail, created_at from incidents
   where resolved_at is null and ($1::text[] is null or kind = any($1)) order by created_at, id limit 100`,
)

/** Counts open incidents by kind. */
export const countOpenIncidents = all(
  'incidents-count',
  'select kind, count(*) as n from incidents where resolved_at is null group by kind',
)

/** Reads and locks an incident that is open, or has an open part. */
export const lockIncident = first(
  'incident-lock',
  `select i.id, i.kind, i.chain_id, i.detail, i.created_at, i.part_of from incidents i where i.id = $1
     and exists (select from incidents p where (p.id = $1 or p.part_of = $1) and p.resolved_at is null) for update`,
)

/** Ends an incident and what has the same cause. */
export const resolveIncident = run(
  'incident-resolve',
  'update incidents set resolved_at = $2 where (id = $1 or part_of = $1) and resolved_at is null',
)

export const insertIncidentEntry = run(
  'incident-entry-insert',
  'insert into incident_entries (incident_id, what, who, text, created_at) values ($1, $2, $3, $4, $5)',
)

/** Reads why and since when a switch is set; undefined while it is not. */
export const readSwitch = first('switch-read', 'select reason, since from switches where name = $1')

/** Sets a switch; one that is set already keeps its reason. */
export const setSwitch = run(
  'switch-set',
  'insert into switches (name, reason, since) values ($1, $2, $3) on conflict (name) do nothing',
)

/** Clears a switch, and those of the same name for single chains and assets. */
export const clearSwitch = run('switch-clear', `delete from switches where name = $1 or starts_with(name, $1 || ':')`)

/** As `readSwitch`, also for a switch of the same name for a single chain or asset. */
export const readAnySwitch = first(
  'switch-any',
  `select reason, since from switches where name = $1 or starts_with(name, $1 || ':') order by since limit 1`,
)

/**
 * Reads why and since when something is stopped because money is missing, on one chain or of one asset; undefined while
 * nothing is.
 */
export const readShortageStop = first(
  'switch-short',
  `select reason, since from switches where starts_with(name, 'withdrawals_stopped:') order by since limit 1`,
)

/** Name of the switch that stops what leaves a chain or, by its id, an asset. Resuming withdrawals clears it. */
export const payoutStopSwitchName = (chainOrAsset: string) => `withdrawals_stopped:${chainOrAsset}` as const

/** Reads why nothing may leave a chain ($1), or an asset of it ($2; '': only what concerns all of the chain). */
export const readPayoutStop = first(
  'switch-stop',
  `select reason, since from switches
   where name in ('${copySwitch}', 'withdrawals_stopped', 'withdrawals_stopped:' || $1, 'withdrawals_stopped:' || $2)
   order by name <> '${copySwitch}', since limit 1`,
)

/** Reads why and since when a queue stands still, be it for one chain or asset, or because the database is a copy. */
export const readQueueStop = first(
  'switch-queue',
  `select reason, since from switches where name = $1 or starts_with(name, $1 || ':') or name = '${copySwitch}'
   order by name <> '${copySwitch}', since limit 1`,
)
