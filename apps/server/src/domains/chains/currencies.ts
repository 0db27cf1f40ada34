import type { ChainDefinition } from '@coffer/chains'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const openAssets = all(
  'currencies-list',
  `select a.id, a.symbol, a.contract, a.decimals, h.definition
   from assets a join chains h on h.id = a.chain_id
   where a.enabled and h.enabled order by h.id, a.symbol, a.id`,
)
const readOrder = first('currencies-order', 'select currency_order from merchants where id = $1')
const keepOrder = run('currencies-order-keep', 'update merchants set currency_order = $2::jsonb where id = $1')

/** A chain, and what can be received on it (contract null: its own coin). */
export interface Currency {
  definition: ChainDefinition
  assets: Omit<Statements['currencies-list']['row'], 'definition'>[]
}

/** Chains that are open with their assets that are, in the merchant's order; those it has not placed come last. */
export async function listCurrencies(c: Queryable, merchantId: string): Promise<Currency[]> {
  const rows = await openAssets(c)
  const merchant = await readOrder(c, merchantId)
  const order = new Map((merchant?.currency_order ?? []).map((id, index) => [id, index]))
  const place = ({ definition: { id } }: Currency) => order.get(id) ?? order.size
  return [...Map.groupBy(rows, row => row.definition.id).values()]
    .map(assets => ({
      definition: assets[0]!.definition,
      assets: assets.map(({ definition: _, ...asset }) => asset),
    }))
    .sort((a, b) => place(a) - place(b))
}

/** Keeps the order in which the merchant wants its chains. */
export const keepCurrencyOrder = (c: Queryable, merchantId: string, ids: string[]) =>
  keepOrder(c, merchantId, JSON.stringify(ids))

export type AssetName = Statements['assets-names']['row']

/** What assets are called, closed ones included. */
export const readAssetNames = all(
  'assets-names',
  `select a.id, a.symbol as token, a.decimals, a.contract, h.definition ->> 'name' as chain, h.id as chain_id, h.kind
   from assets a join chains h on h.id = a.chain_id order by h.id, a.symbol`,
)
