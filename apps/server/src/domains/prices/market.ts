import { all, type Queryable, run } from '../../kit/db.ts'

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

/** The tokens a merchant follows, in its order; null when it never chose. */
export async function readFollows(c: Queryable, merchantId: string): Promise<string[] | null> {
  const rows = await followed(c, merchantId)
  return rows.length === 0 ? null : rows.flatMap(row => row.token ?? [])
}

/** Puts these tokens in the place of those followed before. Run it in a transaction. */
export async function keepFollows(c: Queryable, merchantId: string, follows: string[]): Promise<void> {
  await choose(c, merchantId)
  await unfollow(c, merchantId)
  await follow(c, merchantId, follows)
}
