import { defineDomain } from '../../domain.ts'
import { updateBackupMetrics, watchBackups } from './watch-backups.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: deps =>
    deps.config.backupHours > 0 ? [{ name: 'watch backups', everyMs: 15_000, work: () => watchBackups(deps) }] : [],
  updateMetrics: updateBackupMetrics,
})
