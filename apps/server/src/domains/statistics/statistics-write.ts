import { type Queryable, run, toJson } from '../../kit/db.ts'
import type { UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { countStatistics } from './metrics.ts'

/*
 * Each event inserts its changes of the figures in its own transaction and updates no counter, so that events of a busy
 * merchant do not contend for a row lock. Readers include the rows at once; `foldStatistics` folds them later.
 */

/** Changes of the figures of an application in one asset. `asset_id` is '' while no asset is known. */
export interface StatisticsChange {
  merchant_id: string
  /** '' for events without an application, such as a withdrawal. */
  appid: string
  asset_id: string
  /** Time of the event (Unix seconds), which decides its day. */
  at: number
  created_num?: bigint
  paid_num?: bigint
  /**
   * Value of credited deposits in USDT with `valueDecimals`, as all figures in USDT. Negative when a credit is
   * reversed.
   */
  volume_usdt?: bigint
  /** The merchant's share after fees. */
  income_usdt?: bigint
  refund_usdt?: bigint
  /** Completed withdrawals. */
  withdrawn_usdt?: bigint
  /** Base units of the asset. */
  volume?: bigint
}

/** Columns that are summed. Values in USDT have `valueDecimals`, and `volume` is in base units of the asset. */
export const figureNames = [
  'created_num',
  'paid_num',
  'volume_usdt',
  'income_usdt',
  'refund_usdt',
  'withdrawn_usdt',
  'volume',
] as const
export const figureColumns = figureNames.join(', ')

const insertChanges = run(
  'statistics-gain',
  `insert into statistics_changes (merchant_id, appid, asset_id, at, ${figureColumns})
   select merchant_id, appid, asset_id, at, ${figureColumns}
   from json_to_recordset($1::json) as r (merchant_id text, appid text, asset_id text, at bigint, created_num int,
     paid_num int, volume_usdt numeric, income_usdt numeric, refund_usdt numeric, withdrawn_usdt numeric, volume numeric)`,
)

/** Records changes of the figures in the transaction of the event. */
export async function addStatistics(c: Queryable, changes: readonly StatisticsChange[]): Promise<void> {
  if (changes.length === 0) return
  const groups = Map.groupBy(changes, ({ merchant_id, appid, asset_id, at }) =>
    JSON.stringify([merchant_id, appid, asset_id, at]),
  )
  const rows = [...groups.values()].map(group => ({
    ...group[0],
    ...Object.fromEntries(figureNames.map(name => [name, group.reduce((sum, each) => sum + (each[name] ?? 0n), 0n)])),
  }))
  await insertChanges(c, toJson(rows))
}

export const statisticsChanges: UnitOfWorkPart<StatisticsChange> = {
  name: 'statistics',
  async write(c, changes, uow) {
    await addStatistics(c, changes)
    uow.afterCommit.push(() => countStatistics(changes))
  },
}

/** A payment's change of status. `from` is null for a new payment, `created_at` is in Unix seconds. */
export interface PaymentStatusChange {
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

/** Records status changes in the counts by status and minute of creation, from which lists get their totals. */
export async function updatePaymentStatusCounts(c: Queryable, moves: readonly PaymentStatusChange[]): Promise<void> {
  const groups = Map.groupBy(
    moves.filter(each => each.from !== each.to),
    ({ merchant_id, appid, created_at, from, to }) => [merchant_id, appid, minuteOf(created_at), from, to].join(' '),
  )
  if (groups.size === 0) return
  await move(c, JSON.stringify([...groups.values()].map(group => ({ ...group[0], moved: group.length }))))
}

export const paymentStatusChanges: UnitOfWorkPart<PaymentStatusChange> = {
  name: 'counts',
  write: updatePaymentStatusCounts,
}

/** SQL that records a new payment in the figures and the counts, after the table `inserted` with it. */
export const buildNewPaymentCountSql = (status: number) =>
  `counted as (
     insert into statistics_changes (merchant_id, appid, at, created_num, payment_created_at, status_to)
     select merchant_id, appid, created_at, 1, created_at, ${status} from inserted
   )`

const minuteOf = (time: number) => Math.floor(time / 60)
