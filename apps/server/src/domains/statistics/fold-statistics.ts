import type pg from 'pg'
import type { Deps } from '../../deps.ts'
import { dayOf, dayStart, dayStarts } from '../../kit/days.ts'
import { tx } from '../../kit/db.ts'
import { addFigures, lockZones, quartersRange, remakeDays, takeChanges } from './statistics-fold.ts'

/** Maximum number of changes folded in one transaction. */
const batch = 5_000

/** Folds one batch of pending changes into the sums. Returns true if there may be more. Safe to run concurrently. */
export async function foldStatistics(deps: Deps): Promise<boolean> {
  return tx(deps.pool, async c => {
    const { quarters, taken } = await takeChanges(c, batch)
    if (taken === 0) return false
    const zones = await lockZones(c, [...new Set(quarters.map(row => row.merchant_id))])
    const zoneOf = new Map(zones.map(row => [row.merchant_id, row.kept]))
    await addFigures(c, 'quarter', quarters)
    await addFigures(
      c,
      'day',
      quarters.map(row => inDay(row, zoneOf.get(row.merchant_id) ?? 'UTC')),
    )
    await addFigures(
      c,
      'all',
      quarters.map(row => ({ ...row, slot: 0 })),
    )
    for (const { merchant_id, zone, kept } of zones) if (zone !== kept) await remake(c, merchant_id, zone)
    return taken === batch
  })
}

const inDay = <T extends { slot: number }>(row: T, zone: string): T => ({
  ...row,
  slot: dayStart(dayOf(row.slot, zone), zone),
})

/** Rebuilds a merchant's days after a change of time zone. Returns the zone in which they are now kept. */
export const moveDays = (deps: Deps, merchantId: string): Promise<string> =>
  tx(deps.pool, async c => {
    const [row] = await lockZones(c, [merchantId])
    if (row && row.zone !== row.kept) await remake(c, merchantId, row.zone)
    return row?.zone ?? 'UTC'
  })

async function remake(c: pg.PoolClient, merchantId: string, zone: string) {
  const range = await quartersRange(c, merchantId)
  const starts = range ? dayStarts(dayOf(range[0], zone), dayOf(range[1], zone), zone) : [0]
  await remakeDays(c, merchantId, zone, starts)
}
