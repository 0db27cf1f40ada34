import type { BlockId, BlockRef } from '@coffer/chains'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import type { Part } from '../../kit/unit-of-work.ts'

/** Where we are on a chain. Times are unix seconds; the last block is null before the first was applied. */
export type ChainRow = Statements['chain-read']['row']

const columns = `id, kind, definition, enabled, last_number, last_hash, last_time, final_number, head_number, read_at, halted`

export const readChain = first('chain-read', `select ${columns} from chains where id = $1`)

/** The same, locked: whoever changes what we know of a chain does it one after the other. */
export const lockChain = first(
  'chain-lock',
  `select ${columns} from chains where id = $1 /* guard: chain-lock */ for no key update /* end */`,
)

/** All chains, those no longer watched included. */
export const allChains = all('chains-all', `select ${columns} from chains order by id`)

/** The blocks that are remembered, oldest first. */
export const rememberedBlocks = all(
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

/** How many final blocks are remembered, to find how deep a reorg went that went too deep. */
const keptFinalBlocks = 200

/** Remembers a block as the last one, and forgets those far below what is final. */
export const appendBlock = (c: Queryable, chainId: string, block: BlockRef, final: number) =>
  append(c, chainId, block.number, block.hash, block.parentHash, block.time, final, final - keptFinalBlocks)

const unwind = run(
  'chain-unwind',
  `with forgotten as (
     delete from chain_blocks where chain_id = $1 and number > $2
   )
   update chains set last_number = $2, last_hash = $3, final_number = least(final_number, $2), head_number = $2,
     last_time = coalesce((select max(time) from chain_blocks where chain_id = $1 and number <= $2), last_time)
   where id = $1`,
)

/** Forgets the blocks above an ancestor, which becomes the last one. */
export const unwindTo = (c: Queryable, chainId: string, { number, hash }: BlockId) => unwind(c, chainId, number, hash)

/** Writes that a node answered, how far it is, and when. Written seldom: it is for people and for time limits. */
export const touchChain = run(
  'chain-touch',
  `update chains set read_at = $3, head_number = $2 where id = $1 and (read_at < $3 - 4 or head_number <> $2)`,
)

/** Stops a chain until a person has looked, and says why; null lets it go on. */
export const setHalted = run('chain-halt', 'update chains set halted = $2 where id = $1')

const ask = run(
  'chain-reread-ask',
  `update chains set reread_from = least(coalesce(reread_from, $2), $2) where id = $1 and enabled and final_number >= $2
   returning 1 as asked`,
)

/** Asks for final blocks from this one on to be read again, besides those asked for before; false when there is none. */
export const askReread = async (c: Queryable, chainId: string, from: number): Promise<boolean> =>
  (await ask(c, chainId, from)) > 0

const readReread = first('chain-reread-from', 'select reread_from from chains where id = $1')

/** The block from which on final blocks are to be read again, or null. */
export const rereadFrom = async (c: Queryable, chainId: string): Promise<number | null> =>
  (await readReread(c, chainId))?.reread_from ?? null

/** Notes that blocks were read again, from one to the one before the next, unless others were asked for meanwhile. */
export const reread = run('chain-reread', 'update chains set reread_from = $3 where id = $1 and reread_from = $2')

/** Something a person has to look into. */
export type NewIncident = Statements['incident-lock']['row']

const insert = run(
  'incidents-insert',
  `insert into incidents (id, kind, chain_id, detail, created_at) select id, kind, chain_id, detail, created_at
   from json_to_recordset($1::json) as r (id text, kind text, chain_id text, detail jsonb, created_at bigint)`,
)

/** Records incidents. */
export async function insertIncidents(c: Queryable, incidents: readonly NewIncident[]): Promise<void> {
  if (incidents.length > 0) await insert(c, JSON.stringify(incidents))
}

export const incidents: Part<NewIncident> = { name: 'incidents', write: insertIncidents }

/** The deep reorg that a chain is halted for, with the block that stayed. */
export const deepReorgOf = first(
  'incident-deep-reorg',
  `select id, detail from incidents where chain_id = $1 and kind = 'deep_reorg' and resolved_at is null
   order by created_at desc, id desc limit 1`,
)

/** What a person has not dealt with yet, of some kinds or of all (null), oldest first, at most 100. */
export const openIncidents = all(
  'incidents-open',
  `select id, kind, chain_id, detail, created_at from incidents
   where resolved_at is null and ($1::text[] is null or kind = any($1)) order by created_at, id limit 100`,
)

/** How much of each kind a person has not dealt with yet. */
export const countOpenIncidents = all(
  'incidents-count',
  'select kind, count(*) as n from incidents where resolved_at is null group by kind',
)

/** An incident that nobody has dealt with, locked. */
export const lockIncident = first(
  'incident-lock',
  `select id, kind, chain_id, detail, created_at from incidents where id = $1 and resolved_at is null for update`,
)

/** Marks an incident as dealt with. */
export const resolveIncident = run('incident-resolve', 'update incidents set resolved_at = $2 where id = $1')
