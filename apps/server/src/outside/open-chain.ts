import { type ChainView, kinds } from '@coffer/chains'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { registry } from '../kit/metrics.ts'
import type { WatchedChain } from './world.ts'

const failures = new Counter({
  name: 'coffer_node_failures',
  help: 'Failed requests by node',
  labelNames: ['chain', 'node'],
  registers: [registry],
})

/** Opens a chain without contacting its nodes. Failures are counted per node, numbered from 1 as in the chains file. */
export function openChain({ definition, nodes }: WatchedChain, log: Logger): ChainView {
  const onError = (url: string, error: Error) => {
    const node = nodes.findIndex(each => each.url === url) + 1
    failures.inc({ chain: definition.id, node })
    // A node's URL may contain a key, so only its host is logged.
    log.debug({ chain: definition.id, node, host: new URL(url).host, reason: error.message }, 'a node failed')
  }
  return kinds[definition.kind].open(definition, { endpoints: nodes, chainId: definition.chainId, onError })
}
