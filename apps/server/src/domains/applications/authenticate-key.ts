import { applicationStatus, merchantStatus } from '@coffer/contract/codes.ts'
import { listKeyScopes } from '@coffer/contract/kit/key-scopes.ts'
import type { Deps } from '../../deps.ts'
import type { KeyHolder, UsedKey } from '../../http/context.ts'
import type { Queryable } from '../../kit/db.ts'
import { isInRange } from '../../kit/ip-range.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { plainIp } from '../../kit/visitor.ts'
import { applicationByKey } from './store.ts'

type GivenKey = { key: string; ip: string }
const usedKey = ({ key, ip }: GivenKey) => ({ hash: hashSecret(key), ip: plainIp(ip) })

/**
 * Returns the application of a secret key. Throws Refusal('bad_key') for an unknown or deleted key; for a valid one the
 * reason why it cannot be used: frozen or unapproved merchant, disabled application, address not on the whitelist.
 */
export const authenticateKey = (deps: Deps, given: GivenKey): Promise<KeyHolder> =>
  authenticateKeyHash(deps, usedKey(given))

/** The same by the key's hash. */
export async function authenticateKeyHash(
  deps: { pool: Queryable; clock: () => number },
  { hash, ip }: Pick<UsedKey, 'hash' | 'ip'>,
): Promise<KeyHolder> {
  const found = await applicationByKey(deps.pool, hash, deps.clock())
  if (!found) throw new Refusal('bad_key')
  if (found.frozen) throw new Refusal('account_frozen')
  if (found.merchant_status !== merchantStatus.approved) throw new Refusal('merchant_not_open')
  if (found.status !== applicationStatus.enabled) throw new Refusal('application_disabled')
  const listedAs = mustBeWhitelisted(found, ip)
  const { merchant_id: merchantId, appid, payment_mode: paymentMode } = found
  const { endpoints_allowed: managesEndpoints, marks_allowed: mayMark } = found
  const scopes = listKeyScopes(found)
  const pricing = { rates: found.rates, version: found.rates_version }
  const key = { hash, ip, listedAs }
  const { opened_at: openedAt, secret_by: madeBy } = found
  return { merchantId, appid, paymentMode, scopes, managesEndpoints, mayMark, madeBy, openedAt, pricing, key }
}

/** How long (s) a key is taken for what it was when it was last looked up, and how many are remembered. */
const recent = { seconds: 2, max: 10_000 }

/**
 * Makes a `authenticateKey` that remembers keys for seconds, for calls whose own statement checks `holder.key` again.
 */
export function createCachedAuthenticateKey(): typeof authenticateKey {
  const found = new Map<string, { until: number; holder: KeyHolder }>()
  return async (deps, given) => {
    const key = usedKey(given)
    const name = `${key.hash.toString('base64')} ${key.ip}`
    const known = found.get(name)
    if (known && deps.clock() < known.until) return known.holder
    const holder = await authenticateKeyHash(deps, key)
    if (found.size >= recent.max) found.clear()
    found.set(name, { until: deps.clock() + recent.seconds, holder })
    return holder
  }
}

/**
 * Refuses an address that is not on the whitelist of an application that has one. Returns the entry that allows it: the
 * address, or a range that holds it.
 */
export function mustBeWhitelisted(
  { ip_whitelist_enabled, ip_whitelist }: { ip_whitelist_enabled: boolean; ip_whitelist: string[] },
  ip: string,
): string {
  const plain = plainIp(ip)
  if (!ip_whitelist_enabled) return plain
  const entry = ip_whitelist.find(each => plainIp(each) === plain || isInRange(plain, each))
  if (entry === undefined) throw new Refusal('ip_not_allowed', { detail: { en: plain, 'zh-CN': plain } })
  return entry
}

/** Requests that an application may make. */
export const applicationKeyRateLimit = { burst: 600, perSecond: 20 } as const
