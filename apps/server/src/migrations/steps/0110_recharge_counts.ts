import type { Kysely } from 'kysely'
import { countRows } from '../count-rows.ts'

/** Why: the total of a merchant's recharges, also of a token or a state, was counted row by row for each page of the list. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  countRows(db, {
    name: 'recharges',
    table: 'deposits',
    groups: ['asset_id', 'state', `''`],
    time: 'seen_at',
    where: `kind = 'recharge'`,
  })
