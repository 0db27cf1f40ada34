import { chainForms } from '@coffer/chains/forms.ts'
import type { RouteData } from '@coffer/contract'
import { chainLogo, tokenLogo } from '../../http/logos.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { formatFixedPoint } from '../../outside/prices/rates.ts'
import { readQuotes } from '../prices/store.ts'

const enabledAssets = all(
  'currencies-list',
  `select a.id, a.symbol, a.price_of, a.contract, a.decimals, h.definition
   from assets a join chains h on h.id = a.chain_id
   where a.enabled and h.enabled order by h.id, a.symbol, a.id`,
)
const readOrder = first('currencies-order', 'select currency_order from merchants where id = $1')
const writeOrder = run('currencies-order-keep', 'update merchants set currency_order = $2::jsonb where id = $1')

/** Lists enabled chains with their enabled assets, in the merchant's order; chains without a place come last. */
export async function listCurrencies(
  c: Queryable,
  merchantId: string,
): Promise<RouteData<'GET /api/v1/currency/list'>['list']> {
  const [assets, merchant, quotes] = await Promise.all([enabledAssets(c), readOrder(c, merchantId), readQuotes(c)])
  const order = new Map((merchant?.currency_order ?? []).map((id, index) => [id, index]))
  const place = ({ id }: { id: string }) => order.get(id) ?? order.size
  return [...Map.groupBy(assets, row => row.definition.id).values()]
    .map(rows => {
      const { id, kind, name, network, confirmations } = rows[0]!.definition
      return {
        id,
        chain: name,
        net_work: network,
        logo: chainLogo(id),
        confirmations,
        tokens: rows.map(({ id, symbol, price_of, contract, decimals }) => ({
          id,
          token: symbol,
          contract: contract ? chainForms[kind].address.show(contract) : '',
          decimals,
          logo: tokenLogo(symbol),
          usdt_price: formatFixedPoint(quotes.get(price_of)?.usdt ?? 0n),
        })),
      }
    })
    .sort((a, b) => place(a) - place(b))
}

/** Sets the order in which the merchant sees chains. Refuses chains that are not enabled. */
export async function setCurrencyOrder(c: Queryable, merchantId: string, ids: string[]): Promise<void> {
  const enabled = new Set((await enabledAssets(c)).map(row => row.definition.id))
  if (ids.some(id => !enabled.has(id))) throw new Refusal('currency_not_exist', { field: 'ids' })
  await writeOrder(c, merchantId, JSON.stringify([...new Set(ids)]))
}

export type AssetName = Statements['assets-names']['row']

/** Reads the names of all assets, disabled ones included. */
export const readAssetNames = all(
  'assets-names',
  `select a.id, a.symbol as token, a.decimals, a.contract, h.definition ->> 'name' as chain, h.id as chain_id, h.kind
   from assets a join chains h on h.id = a.chain_id order by h.id, a.symbol`,
)
