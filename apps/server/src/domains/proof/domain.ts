import { proofRoutes } from '@coffer/contract/proof/routes.ts'
import { defineDomain } from '../../domain.ts'
import { makeDueProof } from './jobs.ts'
import { mountPublishedProofs } from './publish.ts'
import { proofHandlers } from './routes.ts'
import { deleteOldParts } from './store.ts'

/** How long merchants' parts of a proof are kept (s). */
const partsKeptSeconds = 60 * 86_400

export default defineDomain({
  routes: proofRoutes,
  handlers: proofHandlers,
  mount: mountPublishedProofs,
  jobs: deps =>
    deps.config.proof === 'daily'
      ? [
          {
            name: 'make proofs',
            everyMs: deps.config.mode === 'sandbox' ? 10_000 : 600_000,
            work: () => makeDueProof(deps),
          },
        ]
      : [],
  deleteExpired: ({ pool, clock }) => deleteOldParts(pool, clock() - partsKeptSeconds),
})
