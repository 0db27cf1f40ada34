import { defineDomain } from '../../domain.ts'
import { decideAllHeldDeposits } from './decide-held-deposits.ts'
import { findAllNativeDeposits } from './find-native-deposits.ts'
import { followChains } from './follow.ts'
import { updateDustMetrics } from './metrics.ts'
import { rereadAllChains } from './reread.ts'
import { watchAllUpgrades } from './watch-upgrades.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal) => [
    followChains({ ...deps, pool: deps.pools.chains }, deps.chains.values(), signal),
    findAllNativeDeposits(deps, signal),
    rereadAllChains(deps, signal),
    decideAllHeldDeposits(deps, signal),
    watchAllUpgrades(deps, signal),
  ],
  updateMetrics: ({ pool }) => updateDustMetrics(pool),
})
