import { defineDomain } from '../../domain.ts'
import { decideAllHeld } from './decide-held.ts'
import { follow } from './follow.ts'
import { updateDustMetrics } from './metrics.ts'
import { native } from './native.ts'
import { reread } from './reread.ts'
import { watchAllUpgrades } from './watch-upgrades.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal) => [
    follow({ ...deps, pool: deps.pools.chains }, deps.chains.values(), signal),
    native(deps, signal),
    reread(deps, signal),
    decideAllHeld(deps, signal),
    watchAllUpgrades(deps, signal),
  ],
  updateMetrics: ({ pool }) => updateDustMetrics(pool),
})
