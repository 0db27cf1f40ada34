import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { singleNodeIncidentKinds } from '@coffer/contract/incidents/steps.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { differingNodes, type FailingNode, failingNodes, forkedNodes } from '../../outside/open-chain.ts'
import { type ChainProgress, findChainDelay } from './chain-delay.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from './lasting-incidents.ts'
import { allChains } from './store.ts'

/** Seconds for which a chain is delayed before it is an incident: most delays end by themselves. */
const delayedFor = 240
/**
 * A node fails while its last failure is not older (ms), and is an incident once that lasts so long (ms) and came so
 * often.
 */
const failsFor = 300_000
const failingFor = 600_000
const failuresMin = 30
/** A node differs from most while its last such answer is not older (ms), and is an incident from the second one on. */
const differsFor = 300_000
const differencesMin = 2
/**
 * A node has other blocks than most while one that was compared is not older (ms), and is an incident once that lasts
 * so long (ms).
 */
const forkedFor = 300_000
const forkFor = 600_000

/** Since when chains are delayed, by id, as this process saw it. Kept by the caller between two looks. */
export type ChainDelays = Map<string, number>

type Delayed = Exclude<ReturnType<typeof findChainDelay>, 'halted' | null>
const since = (why: Delayed, { read_at, last_time }: ChainProgress) =>
  new Date((why === 'unreachable' ? read_at : last_time) * 1_000).toISOString()

/**
 * Opens an incident for each chain that stays delayed and each node that keeps failing or differs from most or has
 * other blocks, and ends those that no longer do.
 */
export async function watchChains(
  { pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>,
  delays: ChainDelays,
  nodes: readonly FailingNode[] = failingNodes(failsFor),
  differing: readonly FailingNode[] = differingNodes(differsFor),
  forked: readonly FailingNode[] = forkedNodes(forkedFor),
): Promise<false> {
  const now = clock()
  const report = async (row: Parameters<typeof reportLastingIncident>[1]) => {
    if (await tx(pool, c => reportLastingIncident(c, row, now)))
      log.error({ chain: row.chain_id, ...row.detail }, row.kind)
  }
  for (const chain of await allChains(pool)) {
    const { id: chain_id } = chain
    const why = chain.enabled ? findChainDelay(chain, now) : null
    // A halted chain has an incident of its own.
    if (why === null || why === 'halted') delays.delete(chain_id)
    else {
      const from = delays.get(chain_id) ?? now
      delays.set(chain_id, from)
      const detail = { reason: encodeHaltReason(`chain_${why}`, since(why, chain)) }
      if (now - from >= delayedFor) await report({ kind: 'chain_delayed', chain_id, of: {}, detail })
    }
    for (const { name: node, since, failures, reason } of nodes.filter(each => each.chain === chain_id && each.name)) {
      if (Date.now() - since < failingFor || failures < failuresMin) continue
      await report({ kind: 'node_failing', chain_id, of: { node }, detail: { node, reason } })
    }
    for (const { name: node, failures, reason } of differing.filter(each => each.chain === chain_id))
      if (failures >= differencesMin)
        await report({ kind: 'node_differs', chain_id, of: { node }, detail: { node, reason } })
    for (const { name: node, since, reason } of forked.filter(each => each.chain === chain_id))
      if (Date.now() - since >= forkFor)
        await report({ kind: 'node_forked', chain_id, of: { node }, detail: { node, reason } })
  }
  // Only what was told here or elsewhere a while ago: this process may have just begun to look.
  await endUnseenIncidents(pool, ['chain_delayed', ...singleNodeIncidentKinds], null, now - unseenIncidentSeconds, now)
  return false
}
