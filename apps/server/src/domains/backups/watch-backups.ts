import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { readLastBackups } from './store.ts'

const kind = 'backup_late'
const hour = 3_600
const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

const age = new Gauge({
  name: 'coffer_backup_age_seconds',
  help: 'Age of the newest backup that was restored for a check, or of the installation without one',
  registers: [registry],
})

/** Reads since when nothing is backed up that was checked; undefined in a database without an installation. */
const readUncheckedSince = async ({ pool }: Pick<Deps, 'pool'>): Promise<number | undefined> => {
  const last = (await readLastBackups(pool))!
  return last.checked_at ?? last.installed_at ?? undefined
}

/** Sets the gauge of the age of backups. */
export async function updateBackupMetrics(deps: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const since = await readUncheckedSince(deps)
  age.set(since === undefined ? 0 : Math.max(0, deps.clock() - since))
}

/** Opens an incident while no backup was checked for `COFFER_BACKUP_HOURS`, and ends it. */
export async function watchBackups({ pool, clock, log, config }: Deps): Promise<false> {
  const now = clock()
  const since = await readUncheckedSince({ pool })
  if (since !== undefined && now - since > config.backupHours * hour) {
    const row = { kind, chain_id: null, of: {}, detail: { reason: encodeHaltReason('no_backup', formatTime(since)) } }
    if (await tx(pool, c => reportLastingIncident(c, row, now))) log.error({ since }, 'no backup was checked lately')
  }
  await endUnseenIncidents(pool, [kind], null, now - unseenIncidentSeconds, now)
  return false
}
