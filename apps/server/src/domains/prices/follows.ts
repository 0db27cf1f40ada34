import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import { all, type Queryable, run, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { tokens } from '../../outside/prices/symbols.ts'

/** The tokens of the market card until the merchant chooses others. */
const defaultFollows = ['USDT', 'BTC', 'ETH', 'TRX']

const followed = all(
  'market-follows',
  `select f.token from merchants m left join market_follows f on f.merchant_id = m.id
   where m.id = $1 and m.market_chosen order by f.position`,
)
const choose = run('market-chosen', 'update merchants set market_chosen = true where id = $1')
const unfollow = run('market-unfollow', 'delete from market_follows where merchant_id = $1')
const follow = run(
  'market-follow',
  `insert into market_follows (merchant_id, token, position)
   select $1, token, position from unnest($2::text[]) with ordinality as f (token, position)`,
)

/** Returns the tokens that a merchant follows, in its order. */
export async function readFollows(c: Queryable, merchantId: string): Promise<string[]> {
  const rows = await followed(c, merchantId)
  return rows.length === 0 ? defaultFollows : rows.flatMap(row => row.token ?? [])
}

/** Replaces the tokens that a merchant follows, at most 4, and returns them. Refuses tokens without a price. */
export async function setFollows(deps: Deps, merchantId: string, symbols: string[]): Promise<string[]> {
  const follows = [...new Set(symbols.map(symbol => symbol.toUpperCase()))]
  if (follows.length > limits.marketFollowMax) throw new Refusal('too_many_followed', { field: 'token' })
  const known: readonly string[] = tokens
  if (follows.some(symbol => !known.includes(symbol))) throw new Refusal('currency_not_exist', { field: 'token' })
  await tx(deps.pool, async c => {
    await choose(c, merchantId)
    await unfollow(c, merchantId)
    await follow(c, merchantId, follows)
  })
  return follows
}
