import { errors } from '@coffer/contract'
import { type ShopProtocol, shopRefusalDays } from '@coffer/contract/codes/shops.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { classifyRequestError } from '../../http/errors.ts'
import { RateLimiter } from '../../kit/rate-limiter.ts'
import { countShopRefusal, dropOldRefusals } from './store.ts'

/** Whose request it is. `isProven`: the shop's signature or key was right. */
interface Caller {
  id: string
  protocols: readonly ShopProtocol[]
  isProven: boolean
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Notes of which connection a request is, for `recordShopRefusals`. */
export const rememberRequestCaller = (request: FastifyRequest, caller: Caller): void => {
  callers.set(request, caller)
}

/** When refusals that are still stored were met, at the earliest, in Unix seconds. */
export const computeRefusalsSince = ({ clock }: Deps): number => clock() - shopRefusalDays * 86_400

/** Kinds of refusals that are stored of a connection. Those that are older go. */
const kindsMost = 20
/** Kinds whose counts wait for the next write, of all connections. */
const waitingMost = 1_000
/**
 * Writes of a connection: a shop may meet each kind at once. What nobody signed has a share of its own, and one for all
 * connections, as anybody may cause it.
 */
const ofShop = { burst: kindsMost, perSecond: 1 }
const ofStrangersAtOne = { burst: 5, perSecond: 0.5 }
const ofStrangers = { burst: 50, perSecond: 10 }

/**
 * Notes each refusal of a shop's request with its connection, for the merchant to read. Writes are fewer than refusals:
 * what was not written is counted with the next one of its kind.
 */
export function recordShopRefusals(scope: FastifyInstance, deps: Deps): void {
  const shops = new RateLimiter(ofShop)
  const strangers = new RateLimiter(ofStrangers)
  const strangersAtOne = new RateLimiter(ofStrangersAtOne)
  const waiting = new Map<string, number>()
  const mayWrite = ({ id, isProven }: Caller): boolean => {
    const now = deps.clock()
    try {
      if (!isProven) strangers.take('all', now)
      const limiter = isProven ? shops : strangersAtOne
      limiter.take(id, now)
      return true
    } catch {
      return false
    }
  }
  scope.addHook('onError', async (request, _reply, error) => {
    const caller = findCaller(request)
    const refused = caller && refusedAs(error, request, caller)
    if (!refused) return
    const kind = `${caller.id} ${refused.code} ${refused.field}`
    const count = (waiting.get(kind) ?? 0) + 1
    waiting.delete(kind)
    if (!mayWrite(caller)) {
      if (waiting.size >= waitingMost) waiting.delete(waiting.keys().next().value!)
      waiting.set(kind, count)
      return
    }
    const { id, protocols } = caller
    const { code, field, detail } = refused
    try {
      await countShopRefusal(
        deps.pool,
        id,
        protocols,
        code,
        field,
        detail && JSON.stringify(detail),
        count,
        deps.clock(),
      )
      await dropOldRefusals(deps.pool, id, kindsMost)
    } catch (err) {
      // The shop gets its answer all the same.
      request.log.warn({ err }, 'a refusal was not noted')
    }
  })
}

/** Whose request it is: as it was noted, or by the path, where the body could not be read or no key was right. */
function findCaller(request: FastifyRequest): Caller | undefined {
  const { who = 'anybody' } = request.routeOptions.config.door ?? {}
  const noted = callers.get(request)
  if (noted || !['signature', 'shop'].includes(who)) return noted
  const { shop, store } = (request.params ?? {}) as { shop?: string; store?: string }
  const id = shop ?? store ?? ''
  if (!/^\d{9,10}$/.test(id)) return undefined
  return { id, protocols: shop === undefined ? ['btcpay'] : ['epusdt', 'bepusdt', 'gmpay'], isProven: false }
}

/**
 * Fields that a refusal of a request may name whose signature or key was not right. Others could be names that a
 * stranger made up.
 */
const namedToStrangers = ['sign', 'sign_type', 'key', 'signature', 'Authorization', 'body', 'name', 'param', 'money']

/** What a merchant reads of a refusal. Of what nobody signed it holds nothing that the request chose. */
function refusedAs(error: unknown, request: FastifyRequest, { isProven }: Caller) {
  const { name, field = '', detail } = classifyRequestError(error, request)
  const { code, status } = errors[name]
  // What failed here, or was too much of a stranger, says nothing about the shop.
  if (status >= 500 || (status === 429 && !isProven)) return undefined
  const isNamed = isProven ? /^[\w.[\]-]{0,60}$/.test(field) : namedToStrangers.includes(field)
  if (!isNamed) return { code, field: '', detail: null }
  return { code, field, detail: detail ? { en: shown(detail.en), 'zh-CN': shown(detail['zh-CN']) } : null }
}

const shown = (text: string) => text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '').slice(0, 300)
