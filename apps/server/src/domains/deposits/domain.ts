import { defineDomain } from '../../domain.ts'
import { decideAllHeld } from './decide-held.ts'
import { findAllNative } from './find-native.ts'
import { follow } from './follow.ts'
import { updateDustMetrics } from './metrics.ts'
import { rereadAllChains } from './reread.ts'
import { watchAllUpgrades } from './watch-upgrades.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal) => [
    follow({ ...deps, pool: deps.pools.chains }, deps.chains.values(), signal),
    findAllNative(deps, signal),
    rereadAllChains(deps, signal),
    decideAllHeld(deps, signal),
    watchAllUpgrades(deps, signal),
  ],
  updateMetrics: ({ pool }) => updateDustMetrics(pool),
})
