import { type ChainView, kinds } from '@coffer/chains'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { registry } from '../kit/metrics.ts'
import type { WatchedChain } from './world.ts'

const failures = new Counter({
  name: 'coffer_node_failures',
  help: 'Failures of each node of a chain',
  labelNames: ['chain', 'node'],
  registers: [registry],
})

/** Opens a chain by its nodes, whose failures are counted under their places in the file, from 1. Asks nothing yet. */
export function openChain({ definition, nodes }: WatchedChain, log: Logger): ChainView {
  const onTrouble = (url: string, error: Error) => {
    const node = nodes.findIndex(each => each.url === url) + 1
    failures.inc({ chain: definition.id, node })
    // The address of a node may hold a key, so only its host is told.
    log.debug({ chain: definition.id, node, host: new URL(url).host, reason: error.message }, 'a node failed')
  }
  return kinds[definition.kind].open(definition, { endpoints: nodes, chainId: definition.chainId, onTrouble })
}
