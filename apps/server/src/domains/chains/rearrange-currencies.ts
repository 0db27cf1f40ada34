import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Currency, keepCurrencyOrder, listCurrencies } from './currencies.ts'

/** Puts the merchant's chains in another order and gives them. A chain that does not exist is refused. */
export async function rearrangeCurrencies(
  deps: Deps,
  { merchantId, ids }: { merchantId: string; ids: string[] },
): Promise<Currency[]> {
  const known = new Set((await listCurrencies(deps.pool, merchantId)).map(each => each.definition.id))
  if (ids.some(id => !known.has(id))) throw new Refusal('currency_not_exist', { field: 'ids' })
  await keepCurrencyOrder(deps.pool, merchantId, [...new Set(ids)])
  return listCurrencies(deps.pool, merchantId)
}
