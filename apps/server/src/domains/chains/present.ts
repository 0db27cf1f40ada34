import { kinds } from '@coffer/chains'
import type { Data } from '@coffer/contract'
import { chainLogo, tokenLogo } from '../../http/logos.ts'
import { fromFixed } from '../../outside/prices/rates.ts'
import type { Quote } from '../prices/store.ts'
import type { Currency } from './currencies.ts'

/** A chain with its tokens, and what a unit of each was last known to be worth (0 when nobody knows). */
export const currency = (
  { definition, assets }: Currency,
  quotes: ReadonlyMap<string, Quote>,
): Data<'GET /api/v1/currency/list'>['list'][number] => ({
  id: definition.id,
  chain: definition.name,
  net_work: definition.network,
  logo: chainLogo(definition.id),
  confirmations: definition.confirmations,
  tokens: assets.map(({ id, symbol, contract, decimals }) => ({
    id,
    token: symbol,
    contract: contract ? kinds[definition.kind].address.show(contract) : '',
    decimals,
    logo: tokenLogo(symbol),
    usdt_price: fromFixed(quotes.get(symbol)?.usdt ?? 0n),
  })),
})
