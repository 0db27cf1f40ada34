import { type AnswerDifference, type ChainView, chainAdapters } from '@coffer/chains'
import { cleanMessage } from '@coffer/chains/nodes/said.ts'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { registry } from '../kit/metrics.ts'
import type { WatchedChain } from './world.ts'

const failures = new Counter({
  name: 'coffer_node_failures_total',
  help: 'Failed requests by node',
  labelNames: ['chain', 'node'],
  registers: [registry],
})

const waits = new Counter({
  name: 'coffer_node_waits_total',
  help: 'Votes that waited more than a second for a node',
  labelNames: ['chain', 'node'],
  registers: [registry],
})
const differences = new Counter({
  name: 'coffer_node_differences_total',
  help: 'Valid answers by node that are far from what most nodes report',
  labelNames: ['chain', 'node'],
  registers: [registry],
})
const verified = new Gauge({
  name: 'coffer_chain_verified',
  help: '0 once what the blocks of a chain hold can no longer be verified',
  labelNames: ['chain'],
  registers: [registry],
})
const unknownFork = new Gauge({
  name: 'coffer_chain_unknown_fork',
  help: 'When a chain forks next (Unix seconds), if this version was not written for that fork; 0 if none is scheduled',
  labelNames: ['chain'],
  registers: [registry],
})
const batchSizes = new Gauge({
  name: 'coffer_node_batch_size',
  help: 'Calls that a node gets in one request, once they had to be fewer',
  labelNames: ['chain', 'node'],
  registers: [registry],
})

/** A node that failed, or that votes waited for, lately, in this process. */
export interface FailingNode {
  chain: string
  /** See `nodeName`; '' for the chain itself. */
  name: string
  /** Failed requests, and votes that waited, since it began to fail without a pause of five minutes. */
  failures: number
  /** When that was, in Unix milliseconds. */
  since: number
  /** Unix milliseconds. */
  at: number
  reason: string
}
const failing = new Map<string, FailingNode>()
/** Nodes whose valid answers are far from what most nodes report. */
const differing = new Map<string, FailingNode>()
/** Nodes whose last block that was compared is not that of most nodes. */
const forked = new Map<string, FailingNode>()
const pauseMs = 300_000
/** Names of nodes by the id of their chain and their URL. */
const names = new Map<string, string>()
/** Chains whose blocks cannot be verified any more, or may not be after the next fork. */
const unverified = new Map<string, FailingNode>()
/**
 * Nodes that failed or were waited for within a time (ms), and chains that are no longer verified or soon may not be,
 * under no name.
 */
export const failingNodes = (withinMs: number): FailingNode[] => [
  ...[...unverified.values()].map(each => ({ ...each, at: Date.now() })),
  ...[...failing.values()].filter(({ at }) => Date.now() - at < withinMs),
]

/** Nodes whose valid answers were far from what most nodes report, within a time (ms). */
export const differingNodes = (withinMs: number): FailingNode[] =>
  [...differing.values()].filter(({ at }) => Date.now() - at < withinMs)

/** Nodes that had another block than most when they were last compared, within a time (ms). */
export const forkedNodes = (withinMs: number): FailingNode[] =>
  [...forked.values()].filter(({ at }) => Date.now() - at < withinMs)

/**
 * What people call a node: its host, as the rest of its URL may be a key, and its number in the chains file where the
 * chain has several nodes at that host.
 */
export const nodeName = (chainId: string, url: string): string => names.get(`${chainId} ${url}`) ?? new URL(url).host

function nameNodes({ definition, nodes }: WatchedChain): void {
  const hosts = nodes.map(({ url }) => new URL(url).host)
  for (const [i, { url }] of nodes.entries()) {
    const host = hosts[i]!
    const isAlone = hosts.indexOf(host) === hosts.lastIndexOf(host)
    names.set(`${definition.id} ${url}`, isAlone ? host : `${host} #${i + 1}`)
  }
}

/**
 * Opens a chain without contacting its nodes. Failures are counted per node, numbered from 1 as in the chains file.
 * Tests pass a clock of their own and a shorter timeout.
 */
export function openChain(
  { definition, nodes }: WatchedChain,
  log: Logger,
  timing: { now?: () => number; timeoutMs?: number } = {},
): ChainView {
  nameNodes({ definition, nodes })
  const labelsOf = (url: string) => ({ chain: definition.id, node: nodes.findIndex(each => each.url === url) + 1 })
  const keyOf = (url: string) => `${definition.id} ${labelsOf(url).node}`
  const note = (counter: Counter, noted: Map<string, FailingNode>, url: string, reason: string, isMinor = false) => {
    const labels = labelsOf(url)
    counter.inc(labels)
    const name = nodeName(definition.id, url)
    const key = keyOf(url)
    const before = noted.get(key)
    const now = Date.now()
    const last = before && now - before.at < pauseMs ? before : { failures: 0, since: now, reason: '' }
    noted.set(key, {
      chain: definition.id,
      name,
      failures: last.failures + 1,
      since: last.since,
      at: now,
      reason: (isMinor && last.reason) || reason,
    })
    log.debug({ ...labels, name, reason }, 'a node fails or differs')
  }
  const onError = (url: string, error: Error) => note(failures, failing, url, error.message)
  // Why a node failed says more.
  const onWait = (url: string) =>
    note(waits, failing, url, 'slow: the chain waits for its vote for more than a second', true)
  const onDiffers = (url: string, difference: AnswerDifference) =>
    note(differences, differing, url, encodeHaltReason(...difference))
  const onCompared = (url: string, height: number, isSame: boolean) => {
    if (isSame) forked.delete(keyOf(url))
    else note(differences, forked, url, encodeHaltReason('other_block', String(height)))
  }
  const onBatchSize = (url: string, size: number) => batchSizes.set(labelsOf(url), size)
  const { kind } = definition
  const onUnverified = (reason: string) => {
    verified.set({ chain: definition.id }, 0)
    log.error({ chain: definition.id, reason }, 'what blocks hold is no longer verified: upgrade Coffer')
    warn(definition.id, encodeHaltReason('unverified', cleanMessage(reason)))
  }
  const chain = chainAdapters[kind].open(definition, {
    ...timing,
    endpoints: nodes,
    onError,
    onWait,
    onDiffers,
    onCompared,
    onBatchSize,
    onUnverified,
  })
  if (chain.isVerified) verified.set({ chain: definition.id }, 1)
  return chain
}

const warn = (chain: string, why: string) =>
  unverified.set(chain, { chain, name: '', failures: 1, since: 0, at: 0, reason: why })

/**
 * Returns when (ISO 8601) a chain forks next if this version was not written for that fork; null if none is scheduled.
 */
export async function findUnknownForkTime(chain: ChainView, now: number): Promise<string | null> {
  const time = (await chain.unknownFork?.()) ?? null
  const isAhead = time !== null && time > now
  unknownFork.set({ chain: chain.definition.id }, isAhead ? time : 0)
  return isAhead ? new Date(time * 1_000).toISOString() : null
}

/** Looks for forks that this version was not written for, and warns the operator. */
export async function watchForks(chain: ChainView, now: number, log: Logger): Promise<void> {
  const { id } = chain.definition
  const time = await findUnknownForkTime(chain, now)
  // That it is not verified any more says more.
  if (!chain.isVerified) return
  if (time === null) return void unverified.delete(id)
  log.warn({ chain: id, time }, 'the chain forks, and this version was not written for that: upgrade Coffer before')
  warn(id, encodeHaltReason('unknown_fork', time))
}
