import type { OperatorBody } from '@coffer/contract/operator/index.ts'
import type { Deps } from '../../deps.ts'
import { first, type Queryable, run, tx } from '../../kit/db.ts'
import { readReaderClock, saveReaderClock } from '../notifications/reader-clock.ts'

type Settings = OperatorBody<'PUT /api/operator/v1/alerts'>

const readOff = first('operator-alert-settings', 'select off from operator_alert_settings where operator_id = $1')
const saveOff = run(
  'operator-alert-settings-save',
  `insert into operator_alert_settings (operator_id, off) values ($1, $2)
   on conflict (operator_id) do update set off = excluded.off`,
)

/** Reads what an operator chose; everything at any hour by default. */
export async function readAlertSettings(c: Queryable, operatorId: string): Promise<Settings> {
  const { quiet_from, quiet_until, time_zone } = await readReaderClock(c, operatorId)
  const { off = [] } = (await readOff(c, operatorId)) ?? {}
  return { off, quiet_from, quiet_until, time_zone: time_zone || 'UTC' }
}

export const saveAlertSettings = (
  { pool }: Pick<Deps, 'pool'>,
  operatorId: string,
  { off, ...clock }: Settings,
): Promise<void> =>
  tx(pool, async c => {
    await saveReaderClock(c, operatorId, clock)
    await saveOff(c, operatorId, [...new Set(off)])
  })
