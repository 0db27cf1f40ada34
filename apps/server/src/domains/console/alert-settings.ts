import type { OperatorBody } from '@coffer/contract/operator/index.ts'
import { first, type Queryable, run } from '../../kit/db.ts'

type Settings = OperatorBody<'PUT /api/operator/v1/alerts'>

const read = first(
  'operator-alert-settings',
  'select off, quiet_from, quiet_until, time_zone from operator_alert_settings where operator_id = $1',
)
const save = run(
  'operator-alert-settings-save',
  `insert into operator_alert_settings (operator_id, off, quiet_from, quiet_until, time_zone) values ($1, $2, $3, $4, $5)
   on conflict (operator_id) do update set off = $2, quiet_from = $3, quiet_until = $4, time_zone = $5`,
)

/** Reads what an operator chose; everything at any hour by default. */
export const readAlertSettings = async (c: Queryable, operatorId: string): Promise<Settings> =>
  (await read(c, operatorId)) ?? { off: [], quiet_from: 0, quiet_until: 0, time_zone: 'UTC' }

export const saveAlertSettings = (c: Queryable, operatorId: string, settings: Settings): Promise<number> =>
  save(c, operatorId, [...new Set(settings.off)], settings.quiet_from, settings.quiet_until, settings.time_zone)
