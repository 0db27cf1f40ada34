import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { registry } from '../../kit/metrics.ts'
import { lastQuoteTimes } from '../prices/store.ts'
import { isDelayed } from './chain-delay.ts'
import { allChains, countOpenIncidents } from './store.ts'
import { readSwitch } from './switches.ts'

const registers = [registry]
const gauge = <T extends string>(name: string, help: string, ...labelNames: T[]) =>
  new Gauge({ name, help, labelNames, registers })
const delayed = gauge('coffer_chain_delayed', '1 while merchants are told that a chain is read with a delay', 'chain')
const answered = gauge('coffer_chain_silence_seconds', 'Time since a node of a chain last answered', 'chain')
const age = gauge('coffer_chain_block_age_seconds', 'Age of the last block applied', 'chain')
const prices = gauge('coffer_price_age_seconds', 'Time since a source of prices last said anything', 'source')
const incidents = gauge('coffer_incidents_open', 'What waits for a person', 'kind')
const stopped = gauge('coffer_withdrawals_stopped', '1 while withdrawals are stopped')

/** Measures what stands in the database, so that it is told also while no job of this process runs. */
export async function measure({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const [chains, open, said, why] = await Promise.all([
    allChains(pool),
    countOpenIncidents(pool),
    lastQuoteTimes(pool),
    readSwitch(pool, 'withdrawals_stopped'),
  ]).finally(() => {
    // Rather nothing than what was true before the database went away.
    for (const each of [delayed, answered, age, prices, incidents, stopped]) each.reset()
  })
  const now = clock()
  for (const chain of chains.filter(each => each.enabled)) {
    const of = { chain: chain.id }
    delayed.set(of, isDelayed(chain, now) ? 1 : 0)
    // A chain that was never read has been silent and without blocks since 1970, which no alarm overlooks.
    answered.set(of, now - chain.read_at)
    age.set(of, now - chain.last_time)
  }
  for (const { source, at } of said) prices.set({ source }, now - at)
  for (const { kind, n } of open) incidents.set({ kind }, n)
  stopped.set(why ? 1 : 0)
}
