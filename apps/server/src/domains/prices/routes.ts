import type { Data } from '@coffer/contract'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { fromFixed } from '../../outside/prices/rates.ts'
import { tokens } from '../../outside/prices/symbols.ts'
import { readFollows } from './market.ts'
import { defaultFollows, setFollow } from './set-follow.ts'
import { readWorths, type Worth } from './store.ts'

type Item = Data<'GET /api/v1/market/search'>['list'][number]

/** Prices of tokens, those the merchant follows and those it looks for. */
export const marketHandlers = defineHandlers({
  'GET /api/v1/market/follow/list': async ({ deps, session: { merchantId } }) => {
    const [follows, worths] = await Promise.all([readFollows(deps.pool, merchantId), readWorths(deps.pool)])
    return { list: (follows ?? defaultFollows).map(token => item(token, worths, true)) }
  },

  'PUT /api/v1/market/follow/token': async ({ deps, session: { merchantId }, body }) => {
    const follows = await setFollow(deps, { merchantId, tokens: body.token })
    const worths = await readWorths(deps.pool)
    return { list: follows.map(token => item(token, worths, true)) }
  },

  'GET /api/v1/market/search': async ({ deps, session: { merchantId }, query: { name = '' } }) => {
    const [chosen, worths] = await Promise.all([readFollows(deps.pool, merchantId), readWorths(deps.pool)])
    const follows = new Set(chosen ?? defaultFollows)
    const part = name.trim().toUpperCase()
    const found = tokens.filter(token => token.includes(part))
    return { list: found.map(token => item(token, worths, follows.has(token))) }
  },
})

/** A price is empty while none is known. */
function item(token: string, worths: ReadonlyMap<string, Worth>, check: boolean): Item {
  const worth = worths.get(token)
  const balance = worth ? fromFixed(worth.usdt) : ''
  return { id: token, token, logo: tokenLogo(token), balance, p: worth?.change ?? '', check, checked: check }
}
