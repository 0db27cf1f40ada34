import { Gauge } from 'prom-client'
import { all, type Queryable } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'

const transfers = new Gauge({
  name: 'coffer_dust_transfers',
  help: 'Final transfers below the minimum of their asset, which were kept aside',
  labelNames: ['chain', 'asset'],
  registers: [registry],
})

const sums = all(
  'dust-sums',
  'select d.chain_id as chain, a.symbol as asset, sum(d.n) as n from dust d join assets a on a.id = d.asset_id group by d.chain_id, a.symbol',
)

/** Sets how many transfers were set aside, from the database. */
export async function updateDustMetrics(c: Queryable): Promise<void> {
  transfers.reset()
  for (const { chain, asset, n } of await sums(c)) transfers.set({ chain, asset }, Number(n))
}
