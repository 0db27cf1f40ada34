import type { ChainDefinition } from '@coffer/chains'
import { one, type Queryable, q } from '../../kit/db.ts'

/** A token on a chain that can be received. */
export interface Asset {
  id: string
  symbol: string
  /** Null is the chain's own coin. */
  contract: string | null
  decimals: number
}

export interface Currency {
  definition: ChainDefinition
  assets: Asset[]
}

/** Chains that are open with their assets that are, in the merchant's order; those it has not placed come last. */
export async function listCurrencies(c: Queryable, merchantId: string): Promise<Currency[]> {
  const rows = await q<Asset & { definition: ChainDefinition }>(
    c,
    'currencies-list',
    `select a.id, a.symbol, a.contract, a.decimals, h.definition
     from assets a join chains h on h.id = a.chain_id
     where a.enabled and h.enabled order by h.id, a.symbol, a.id`,
  )
  const merchant = await one<{ currency_order: string[] }>(
    c,
    'currencies-order',
    'select currency_order from merchants where id = $1',
    [merchantId],
  )
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
  q(c, 'currencies-order-keep', 'update merchants set currency_order = $2::jsonb where id = $1', [
    merchantId,
    JSON.stringify(ids),
  ])

export interface AssetName {
  id: string
  token: string
  decimals: number
  contract: string | null
  chain: string
  chain_id: string
  kind: ChainDefinition['kind']
}

/** What assets are called, closed ones included. */
export const readAssetNames = (c: Queryable): Promise<AssetName[]> =>
  q(
    c,
    'assets-names',
    `select a.id, a.symbol as token, a.decimals, a.contract, h.definition ->> 'name' as chain, h.id as chain_id, h.kind
     from assets a join chains h on h.id = a.chain_id order by h.id, a.symbol`,
  )
