import { type Queryable, run } from '../../kit/db.ts'
import type { Part } from '../../kit/unit-of-work.ts'

/*
 * What an event changes in the figures is inserted in the transaction of the event and nothing is updated, so that no
 * counter of a busy merchant is locked until a commit. Readers see the rows at once; `foldStatistics` adds them up later.
 */

/** What an application gained in one asset (asset_id '' for what has none yet). */
export interface Gain {
  merchant_id: string
  /** '' for what belongs to no application, such as a withdrawal. */
  appid: string
  asset_id: string
  /** Unix seconds of the event: the day it counts for. */
  at: number
  created_num?: number
  paid_num?: number
  /** micro-USDT; may be negative where a credit is taken back. */
  volume_usdt?: bigint
  /** What of it is the merchant's after fees. */
  income_usdt?: bigint
  refund_usdt?: bigint
  /** Withdrawals that were completed. */
  withdrawn_usdt?: bigint
  /** Base units of the asset. */
  volume?: bigint
}

const summed = [
  'created_num',
  'paid_num',
  'volume_usdt',
  'income_usdt',
  'refund_usdt',
  'withdrawn_usdt',
  'volume',
] as const
const gainColumns = ['merchant_id', 'appid', 'asset_id', 'at', ...summed].join(', ')

const gain = run(
  'statistics-gain',
  `insert into statistics_changes (${gainColumns}) select ${gainColumns}
   from json_to_recordset($1::json) as r (merchant_id text, appid text, asset_id text, at bigint, created_num int,
     paid_num int, volume_usdt numeric, income_usdt numeric, refund_usdt numeric, withdrawn_usdt numeric, volume numeric)`,
)

/** Adds to the figures, in the transaction of what they count. */
export async function addStatistics(c: Queryable, gains: readonly Gain[]): Promise<void> {
  if (gains.length === 0) return
  const groups = Map.groupBy(gains, ({ merchant_id, appid, asset_id, at }) =>
    JSON.stringify([merchant_id, appid, asset_id, at]),
  )
  const rows = [...groups.values()].map(group => ({
    ...group[0],
    ...Object.fromEntries(
      summed.map(name => [name, String(group.reduce((sum, gain) => sum + BigInt(gain[name] ?? 0), 0n))]),
    ),
  }))
  await gain(c, JSON.stringify(rows))
}

export const statistics: Part<Gain> = { name: 'statistics', write: addStatistics }

/** A payment's change of status; `from` is null for a new one. `created_at` in unix seconds. */
export interface StatusMove {
  merchant_id: string
  appid: string
  created_at: number
  from: number | null
  to: number
}

const move = run(
  'statistics-move',
  `insert into statistics_changes (merchant_id, appid, at, payment_created_at, status_from, status_to, moved)
   select merchant_id, appid, created_at, created_at, "from", "to", moved
   from json_to_recordset($1::json) as r (merchant_id text, appid text, created_at bigint, "from" int, "to" int, moved int)`,
)

/** Keeps how many payments have which status, by the hour they were created in: the totals of every list. */
export async function moveCounts(c: Queryable, moves: readonly StatusMove[]): Promise<void> {
  const groups = Map.groupBy(
    moves.filter(each => each.from !== each.to),
    ({ merchant_id, appid, created_at, from, to }) => [merchant_id, appid, hourOf(created_at), from, to].join(' '),
  )
  if (groups.size === 0) return
  await move(c, JSON.stringify([...groups.values()].map(group => ({ ...group[0], moved: group.length }))))
}

export const counts: Part<StatusMove> = { name: 'counts', write: moveCounts }

const hourOf = (time: number) => Math.floor(time / 3600)
