import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { tokens } from '../../outside/prices/symbols.ts'
import { keepFollows } from './market.ts'

/** What is followed until the merchant chooses: what is paid in, and what moves. */
export const defaultFollows = ['USDT', 'BTC', 'ETH', 'TRX']

/** Sets the tokens that the merchant follows, at most 4, and gives them. A token nobody trades is refused. */
export async function setFollow(deps: Deps, input: { merchantId: string; tokens: string[] }): Promise<string[]> {
  const wanted = [...new Set(input.tokens.map(token => token.toUpperCase()))]
  if (wanted.length > limits.marketFollowMax) throw new Refusal('too_many_followed', { field: 'token' })
  const known: readonly string[] = tokens
  if (wanted.some(token => !known.includes(token))) throw new Refusal('currency_not_exist', { field: 'token' })
  await tx(deps.pool, c => keepFollows(c, input.merchantId, wanted))
  return wanted
}
