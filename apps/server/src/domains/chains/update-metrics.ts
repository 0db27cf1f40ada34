import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { registry } from '../../kit/metrics.ts'
import { lastQuoteTimes } from '../prices/store.ts'
import { findChainDelay } from './chain-delay.ts'
import { allChains, countOpenIncidents, readAnySwitch } from './store.ts'

const registers = [registry]
const gauge = <T extends string>(name: string, help: string, ...labelNames: T[]) =>
  new Gauge({ name, help, labelNames, registers })
const lastBlock = gauge('coffer_chain_block', 'Last block applied', 'chain')
const head = gauge('coffer_chain_head', 'Newest block of the nodes', 'chain')
const halted = gauge('coffer_chain_halted', '1 while a chain waits for a person', 'chain')
const delayed = gauge('coffer_chain_delayed', '1 while merchants see that a chain is delayed', 'chain')
const answered = gauge('coffer_chain_silence_seconds', 'Time since a node of a chain last answered', 'chain')
const age = gauge('coffer_chain_block_age_seconds', 'Age of the last block applied', 'chain')
const perChain = [lastBlock, head, halted, delayed, answered, age]
const prices = gauge('coffer_price_age_seconds', 'Time since a price source last answered', 'source')
const incidents = gauge('coffer_incidents_open', 'Open incidents', 'kind')
const stopped = gauge(
  'coffer_withdrawals_stopped',
  '1 while withdrawals are stopped, be it on one chain or of one asset',
)

/** Sets the gauges from the database, so that they are correct even while no job of this process runs. */
export async function updateMetrics({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const [chains, open, quoteTimes, stop] = await Promise.all([
    allChains(pool),
    countOpenIncidents(pool),
    lastQuoteTimes(pool),
    readAnySwitch(pool, 'withdrawals_stopped'),
  ]).finally(() => {
    // Without a database, report no value rather than a stale one.
    for (const each of [...perChain, prices, incidents, stopped]) each.reset()
  })
  const now = clock()
  for (const chain of chains.filter(each => each.enabled)) {
    const of = { chain: chain.id }
    if (chain.last_number !== null) lastBlock.set(of, chain.last_number)
    head.set(of, chain.head_number)
    halted.set(of, chain.halted ? 1 : 0)
    delayed.set(of, findChainDelay(chain, now) ? 1 : 0)
    // A chain that was never read reports its silence since 1970, so that every alarm fires.
    answered.set(of, now - chain.read_at)
    age.set(of, now - chain.last_time)
  }
  for (const { source, at } of quoteTimes) prices.set({ source }, now - at)
  for (const { kind, n } of open) incidents.set({ kind }, n)
  stopped.set(stop ? 1 : 0)
}
