import type { Deps } from '../../deps.ts'
import { defineDomain, type Job } from '../../domain.ts'
import { deleteOldReplicaMarks } from '../../kit/replica.ts'
import { beatDatabase } from './hold-copy.ts'
import { updateDatabaseMetrics } from './metrics.ts'

/** Notes, where copies are told from originals, that the database goes on. */
const noteAge = (deps: Deps): Job[] =>
  deps.config.mode === 'production'
    ? [{ name: 'note the age of the database', everyMs: 5_000, isEverywhere: true, work: () => beatDatabase(deps) }]
    : []

const watchReplica = ({ pool, replica }: Deps): Job[] =>
  replica
    ? [
        {
          name: 'watch the replica',
          everyMs: 1_000,
          isEverywhere: true,
          work: () => replica.watch(pool).then(() => false),
        },
      ]
    : []

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: deps => [...noteAge(deps), ...watchReplica(deps)],
  deleteExpired: ({ pool }) => deleteOldReplicaMarks(pool),
  updateMetrics: updateDatabaseMetrics,
})
