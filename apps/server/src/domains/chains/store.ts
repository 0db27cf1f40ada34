import type { BlockId, BlockRef, ChainDefinition } from '@coffer/chains'
import { one, type Queryable, q } from '../../kit/db.ts'
import type { Part } from '../../kit/unit-of-work.ts'

/** Where we are on a chain. */
export interface ChainRow {
  id: string
  kind: ChainDefinition['kind']
  definition: ChainDefinition
  enabled: boolean
  /** The last block that was applied; null before the first. */
  last_number: number | null
  last_hash: string | null
  last_time: number
  final_number: number
  head_number: number
  /** When a node last answered, in unix seconds. */
  read_at: number
  halted: string | null
}

const columns = `id, kind, definition, enabled, last_number, last_hash, last_time, final_number, head_number, read_at, halted`

export const readChain = (c: Queryable, id: string) =>
  one<ChainRow>(c, 'chain-read', `select ${columns} from chains where id = $1`, [id])

/** The same, locked: whoever changes what we know of a chain does it one after the other. */
export const lockChain = (c: Queryable, id: string) =>
  one<ChainRow>(
    c,
    'chain-lock',
    `select ${columns} from chains where id = $1 /* guard: chain-lock */ for no key update /* end */`,
    [id],
  )

/** All chains, those no longer watched included. */
export const allChains = (c: Queryable) => q<ChainRow>(c, 'chains-all', `select ${columns} from chains order by id`)

/** The blocks that are remembered, oldest first. */
export const rememberedBlocks = (c: Queryable, chainId: string) =>
  q<BlockId & { time: number }>(
    c,
    'chain-blocks',
    'select number, hash, time from chain_blocks where chain_id = $1 order by number',
    [chainId],
  )

/** Remembers a block as the last one, and forgets those far below what is final. */
export async function appendBlock(c: Queryable, chainId: string, block: BlockRef, final: number): Promise<void> {
  await q(
    c,
    'chain-append',
    `with moved as (
       update chains set last_number = $2, last_hash = $3, last_time = $5, final_number = greatest(final_number, $6),
         head_number = greatest(head_number, $2) where id = $1
     ), forgotten as (
       delete from chain_blocks where chain_id = $1 and number < $7
     )
     insert into chain_blocks (chain_id, number, hash, parent_hash, time) values ($1, $2, $3, $4, $5)`,
    [chainId, block.number, block.hash, block.parentHash, block.time, final, final - keptFinalBlocks],
  )
}

/** How many final blocks are remembered, to find how deep a reorg went that went too deep. */
const keptFinalBlocks = 200

/** Forgets the blocks above an ancestor, which becomes the last one. */
export async function unwindTo(c: Queryable, chainId: string, ancestor: BlockId): Promise<void> {
  await q(
    c,
    'chain-unwind',
    `with forgotten as (
       delete from chain_blocks where chain_id = $1 and number > $2
     )
     update chains set last_number = $2, last_hash = $3, final_number = least(final_number, $2), head_number = $2,
       last_time = coalesce((select max(time) from chain_blocks where chain_id = $1 and number <= $2), last_time)
     where id = $1`,
    [chainId, ancestor.number, ancestor.hash],
  )
}

/** Writes that a node answered, and how far it is. Written seldom: it is for people and for time limits. */
export const touchChain = (c: Queryable, chainId: string, head: number, now: number) =>
  q(
    c,
    'chain-touch',
    `update chains set read_at = $3, head_number = $2 where id = $1 and (read_at < $3 - 4 or head_number <> $2)`,
    [chainId, head, now],
  )

/** Stops a chain until a person has looked, and says why; null lets it go on. */
export const setHalted = (c: Queryable, chainId: string, why: string | null) =>
  q(c, 'chain-halt', 'update chains set halted = $2 where id = $1', [chainId, why])

/** Asks for final blocks from this one on to be read again, besides those asked for before; false when there is none. */
export const askReread = async (c: Queryable, chainId: string, from: number): Promise<boolean> =>
  (await one(
    c,
    'chain-reread-ask',
    `update chains set reread_from = least(coalesce(reread_from, $2), $2) where id = $1 and enabled and final_number >= $2
     returning 1 as asked`,
    [chainId, from],
  )) !== undefined

/** The block from which on final blocks are to be read again, or null. */
export async function rereadFrom(c: Queryable, chainId: string): Promise<number | null> {
  const row = await one<{ reread_from: number | null }>(
    c,
    'chain-reread-from',
    'select reread_from from chains where id = $1',
    [chainId],
  )
  return row?.reread_from ?? null
}

/** Notes that blocks were read again, from one to the one before `next`, unless others were asked for meanwhile. */
export const reread = (c: Queryable, chainId: string, from: number, next: number | null) =>
  q(c, 'chain-reread', 'update chains set reread_from = $3 where id = $1 and reread_from = $2', [chainId, from, next])

/** Something a person has to look into. */
export interface NewIncident {
  id: string
  kind: string
  chain_id: string | null
  detail: Record<string, unknown>
  created_at: number
}

/** Records incidents. */
export async function insertIncidents(c: Queryable, incidents: readonly NewIncident[]): Promise<void> {
  if (incidents.length === 0) return
  await q(
    c,
    'incidents-insert',
    `insert into incidents (id, kind, chain_id, detail, created_at) select id, kind, chain_id, detail, created_at
     from json_to_recordset($1::json) as r (id text, kind text, chain_id text, detail jsonb, created_at bigint)`,
    [JSON.stringify(incidents)],
  )
}

export const incidents: Part<NewIncident> = { name: 'incidents', write: insertIncidents }

/** The deep reorg that a chain is halted for, with the block that stayed. */
export const deepReorgOf = (c: Queryable, chainId: string) =>
  one<{ id: string; detail: { ancestor: BlockId } }>(
    c,
    'incident-deep-reorg',
    `select id, detail from incidents where chain_id = $1 and kind = 'deep_reorg' and resolved_at is null
     order by created_at desc, id desc limit 1`,
    [chainId],
  )

/** What a person has not dealt with yet, of some kinds or of all, oldest first, at most 100. */
export const openIncidents = (c: Queryable, kinds: readonly string[] | null = null) =>
  q<NewIncident>(
    c,
    'incidents-open',
    `select id, kind, chain_id, detail, created_at from incidents
     where resolved_at is null and ($1::text[] is null or kind = any($1)) order by created_at, id limit 100`,
    [kinds],
  )

/** How much of each kind a person has not dealt with yet. */
export const countOpenIncidents = (c: Queryable) =>
  q<{ kind: string; n: number }>(
    c,
    'incidents-count',
    'select kind, count(*) as n from incidents where resolved_at is null group by kind',
  )

/** An incident that nobody has dealt with, locked. */
export const lockIncident = (c: Queryable, id: string) =>
  one<NewIncident>(
    c,
    'incident-lock',
    `select id, kind, chain_id, detail, created_at from incidents where id = $1 and resolved_at is null for update`,
    [id],
  )

/** Marks an incident as dealt with. */
export const resolveIncident = (c: Queryable, id: string, now: number) =>
  q(c, 'incident-resolve', 'update incidents set resolved_at = $2 where id = $1', [id, now])
