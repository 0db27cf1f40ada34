import { type Queryable, q } from './db.ts'

/** What one event changes in the figures. Amounts in base units, USDT in millionths; what is left out does not change. */
export interface StatisticsChange {
  merchantId: string
  /** Unix seconds of the event: the day it counts for. */
  at: number
  /** Empty for what belongs to no application, such as a withdrawal. */
  appid?: string
  /** Empty while no token is chosen. */
  assetId?: string
  /** A payment that came into being (`from` null) or changed its status; `createdAt` is when it was created. */
  payment?: { createdAt: number; from: number | null; to: number }
  /** Payments created, and payments that became paid (-1 takes one back). */
  created?: number
  paid?: number
  /** What was paid, and what of it is the merchant's after fees. */
  volumeUsdt?: bigint
  incomeUsdt?: bigint
  refundUsdt?: bigint
  /** Withdrawals that were completed. */
  withdrawnUsdt?: bigint
  /** What was paid, in the asset's own base units. */
  volume?: bigint
}

/**
 * Writes what changes the statistics and the counts of lists, in the transaction of the change itself. Only inserts, so
 * it locks nothing that others need. `foldStatistics` adds the rows up later; readers see them at once.
 */
export async function changeStatistics(c: Queryable, changes: readonly StatisticsChange[]): Promise<void> {
  if (changes.length === 0) return
  const column = <T>(of: (change: StatisticsChange) => T) => changes.map(of)
  await q(
    c,
    'statistics-change',
    `insert into statistics_changes (merchant_id, at, appid, asset_id, payment_created_at, status_from, status_to, created_num,
       paid_num, volume_usdt, income_usdt, refund_usdt, withdrawn_usdt, volume)
     select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::int[], $7::int[], $8::int[],
       $9::int[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[])`,
    [
      column(change => change.merchantId),
      column(change => change.at),
      column(change => change.appid ?? ''),
      column(change => change.assetId ?? ''),
      column(change => change.payment?.createdAt ?? 0),
      column(change => change.payment?.from ?? null),
      column(change => change.payment?.to ?? null),
      column(change => change.created ?? 0),
      column(change => change.paid ?? 0),
      column(change => String(change.volumeUsdt ?? 0n)),
      column(change => String(change.incomeUsdt ?? 0n)),
      column(change => String(change.refundUsdt ?? 0n)),
      column(change => String(change.withdrawnUsdt ?? 0n)),
      column(change => String(change.volume ?? 0n)),
    ],
  )
}
