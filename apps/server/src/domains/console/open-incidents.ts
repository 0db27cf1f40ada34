import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { readOptionalChainAssets } from '../chains/assets.ts'
import { listOpenIncidents } from '../chains/store.ts'
import { chainName } from './chain-name.ts'
import { extractDepositIds, readIncidentFacts } from './incident-facts.ts'
import { listIncidents, readIncidentDeposits, readIncidentParts } from './incident-store.ts'

/** Incidents that the page of today names. */
const namedMax = 5

/** Reads the newest open incidents, each with what is missing by it, else its first amount or count, if it has one. */
export async function readNewestOpenIncidents(deps: Deps) {
  const { pool } = deps
  const { rows } = await listIncidents(pool, null, { state: 'open' }, { limit: namedMax, offset: 0 })
  return Promise.all(
    rows.map(async ({ id, kind, chain_id, created_at }) => {
      const [parts, assets] = await Promise.all([readIncidentParts(pool, id), readOptionalChainAssets(pool, chain_id)])
      const facts = (await Promise.all(parts.map(part => readIncidentFacts(deps, part, assets)))).flat()
      const isAmount = ({ name, unit }: (typeof facts)[number]) => unit !== '' || name === 'callbacks'
      const amount = facts.find(each => each.name === 'missing') ?? facts.find(isAmount)
      return {
        id,
        kind,
        chain: chainName(deps, chain_id),
        since: created_at,
        amount: amount?.value ?? '',
        token: amount?.unit ?? '',
        fact: amount?.name ?? '',
      }
    }),
  )
}

/** Sums what open deep reorgs put in doubt and nobody has decided, by asset. */
export async function sumDepositsInDoubt(deps: Pick<Deps, 'pool' | 'chains'>) {
  const doubted = []
  for (const { id, chain_id, detail, created_at } of await listOpenIncidents(deps.pool, ['deep_reorg'])) {
    const assets = await readOptionalChainAssets(deps.pool, chain_id)
    const rows = (await readIncidentDeposits(deps.pool, extractDepositIds(detail))).filter(each => each.doubted)
    for (const [asset_id, of] of Map.groupBy(rows, each => each.asset_id)) {
      const asset = assets.get(asset_id ?? '')
      if (!asset) continue
      const sum = of.reduce((all, each) => all + each.amount, 0n)
      doubted.push({
        asset_id: asset.id,
        chain_id: chain_id ?? '',
        chain: chainName(deps, chain_id),
        token: asset.symbol,
        amount: formatDecimal(sum, asset.decimals),
        since: created_at,
        incident: id,
      })
    }
  }
  return doubted
}
