import { defineDomain } from '../../domain.ts'
import { deleteOldReplicaMarks } from '../../kit/replica.ts'
import { updateDatabaseMetrics } from './metrics.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: ({ pool, replica }) =>
    replica
      ? [
          {
            name: 'watch the replica',
            everyMs: 1_000,
            isEverywhere: true,
            work: () => replica.watch(pool).then(() => false),
          },
        ]
      : [],
  deleteExpired: ({ pool }) => deleteOldReplicaMarks(pool),
  updateMetrics: updateDatabaseMetrics,
})
