import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { registry } from '../../kit/metrics.ts'
import { countPendingTransactions, readWallets } from './store.ts'

const registers = [registry]
const labelNames = ['chain', 'wallet'] as const
const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers })
const halted = gauge('coffer_wallet_halted', '1 while a wallet waits for a person')
const short = gauge('coffer_wallet_short_seconds', 'Time for which a wallet has lacked a token or gas')
const open = gauge('coffer_outgoing_open', 'Transactions of a wallet that are not final')
const waiting = gauge(
  'coffer_outgoing_waiting_seconds',
  'Age of the oldest transaction of a wallet that is in no block',
)

/** Sets the gauges of wallets from the database. */
export async function updateWalletMetrics({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const [wallets, underWay] = await Promise.all([readWallets(pool), countPendingTransactions(pool)]).finally(() => {
    // Without a database, report no value rather than a stale one.
    for (const each of [halted, short, open, waiting]) each.reset()
  })
  const now = clock()
  for (const { chain_id, role, address, ...wallet } of wallets) {
    const of = { chain: chain_id, wallet: role }
    const own = underWay.filter(each => each.chain_id === chain_id && each.from_address === address)
    const stuck = own.filter(each => each.state !== 'in_block').map(each => now - each.since)
    halted.set(of, wallet.halted === null ? 0 : 1)
    short.set(of, wallet.waits_since === null ? 0 : now - wallet.waits_since)
    open.set(
      of,
      own.reduce((sum, each) => sum + each.n, 0),
    )
    waiting.set(of, Math.max(0, ...stuck))
  }
}
