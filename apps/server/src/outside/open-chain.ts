import { type ChainView, kinds } from '@coffer/chains'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { registry } from '../kit/metrics.ts'
import type { WatchedChain } from './world.ts'

const failures = new Counter({
  name: 'coffer_node_failures',
  help: 'Failed requests by node',
  labelNames: ['chain', 'node'],
  registers: [registry],
})

const waits = new Counter({
  name: 'coffer_node_waits',
  help: 'Votes that waited more than a second for a node',
  labelNames: ['chain', 'node'],
  registers: [registry],
})
const verified = new Gauge({
  name: 'coffer_chain_verified',
  help: '0 once what the blocks of a chain hold can no longer be verified',
  labelNames: ['chain'],
  registers: [registry],
})
const batchSizes = new Gauge({
  name: 'coffer_node_batch_size',
  help: 'Calls that a node gets in one request, once they had to be fewer',
  labelNames: ['chain', 'node'],
  registers: [registry],
})

/** A node that failed, or that votes waited for, lately, in this process. Its URL may contain a key, so only the host is recorded. */
export interface FailingNode {
  chain: string
  node: number
  host: string
  /** Failed requests, and votes that waited. */
  failures: number
  /** Unix milliseconds. */
  at: number
  reason: string
}
const failing = new Map<string, FailingNode>()
/** Chains whose blocks cannot be verified any more. */
const unverified = new Map<string, FailingNode>()
/** Nodes that failed or were waited for within a time (ms), and chains that are no longer verified, under no host. */
export const failingNodes = (withinMs: number): FailingNode[] => [
  ...[...unverified.values()].map(each => ({ ...each, at: Date.now() })),
  ...[...failing.values()].filter(({ at }) => Date.now() - at < withinMs),
]

/** Opens a chain without contacting its nodes. Failures are counted per node, numbered from 1 as in the chains file. */
export function openChain({ definition, nodes }: WatchedChain, log: Logger): ChainView {
  const labelsOf = (url: string) => ({ chain: definition.id, node: nodes.findIndex(each => each.url === url) + 1 })
  const note = (counter: Counter, url: string, reason: string) => {
    const { node } = labelsOf(url)
    counter.inc(labelsOf(url))
    const { host } = new URL(url)
    const key = `${definition.id} ${node}`
    const count = (failing.get(key)?.failures ?? 0) + 1
    failing.set(key, {
      chain: definition.id,
      node,
      host,
      failures: count,
      at: Date.now(),
      reason: reason.slice(0, 200),
    })
    log.debug({ chain: definition.id, node, host, reason }, 'a node failed')
  }
  const onError = (url: string, error: Error) => note(failures, url, error.message)
  const onWait = (url: string) => note(waits, url, 'slow: the chain waits for its vote for more than a second')
  const onBatchSize = (url: string, size: number) => batchSizes.set(labelsOf(url), size)
  const { kind } = definition
  const onUnverified = (reason: string) => {
    verified.set({ chain: definition.id }, 0)
    const why = `what blocks hold is no longer verified, but believed if most nodes agree: upgrade Coffer (${reason})`
    log.error({ chain: definition.id, reason }, why)
    const trouble = { chain: definition.id, node: 0, host: '', failures: 1, at: 0, reason: why.slice(0, 200) }
    unverified.set(definition.id, trouble)
  }
  return kinds[kind].open(definition, { endpoints: nodes, onError, onWait, onBatchSize, onUnverified })
}
