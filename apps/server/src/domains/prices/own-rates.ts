import type { RouteData } from '@coffer/contract'
import { fiats } from '@coffer/contract/codes.ts'
import { truncateDecimal } from '@coffer/contract/kit/truncate-decimal.ts'
import { isAmount } from '@coffer/contract/kit/validators.ts'
import { isNearPrice, type QuotedRate } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { cacheForSecond } from '../../kit/cache-for-second.ts'
import { all, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { buildCallbackReach } from '../../outside/addresses.ts'
import { sendSafeRequest } from '../../outside/safe-http.ts'
import { quoteInUsdt } from './locked-rates.ts'
import { lastReliablePrice } from './store.ts'

export type OwnRateFailure = RouteData<'GET /api/v1/user/secret-key/rates'>['readings'][number]['failure']

/** Seconds between two readings of a URL. */
const everySeconds = 60
/** URLs that are read at once. */
const batch = 20
const timeoutMs = 10_000
/** A rate that a URL gives is at most 1.2 times the market's price, or the market's at most 1.2 times it. */
const nearest = [12n, 10n] as const
/** Seconds for which the last reliable price is what a rate is compared with while the sources are out. */
const lastPriceGood = 7 * 86_400

const ofApplication = all(
  'own-rates-of-application',
  'select currency, rate, read_at as time, failure from own_rates where merchant_id = $1 and appid = $2 order by currency',
)
const clear = run('own-rates-clear', 'delete from own_rates where merchant_id = $1 and appid = $2')
const insert = run(
  'own-rates-insert',
  `insert into own_rates (merchant_id, appid, currency, url, path)
   select $1, $2, r.currency, r.url, r.path from json_to_recordset($3::json) as r (currency text, url text, path text)`,
)
const take = all(
  'own-rates-take',
  `update own_rates o set tried_at = $1
   from (select o.merchant_id, o.appid, o.currency from own_rates o
     join applications a on a.merchant_id = o.merchant_id and a.appid = o.appid and a.status = 1 and a.deleted_at is null
     where o.tried_at <= $2 order by o.tried_at, o.merchant_id, o.url limit $3 for update of o skip locked) due
   where o.merchant_id = due.merchant_id and o.appid = due.appid and o.currency = due.currency
   returning o.merchant_id, o.appid, o.currency, o.url, o.path`,
)
const record = run(
  'own-rates-record',
  `update own_rates o set failure = r.failure,
     rate = case when r.failure = '' then r.rate else o.rate end,
     read_at = case when r.failure = '' then $2 else o.read_at end
   from json_to_recordset($1::json) as r (merchant_id text, appid text, currency text, url text, path text, rate text, failure text)
   where o.merchant_id = r.merchant_id and o.appid = r.appid and o.currency = r.currency and o.url = r.url and o.path = r.path`,
)
const readAll = all(
  'own-rates-all',
  `select merchant_id, appid, currency, url, path, rate, read_at from own_rates where rate <> ''`,
)
/** Deletes what was read for applications that are deleted. */
export const deleteOwnRates = run(
  'own-rates-delete',
  `delete from own_rates o using applications a
   where a.merchant_id = o.merchant_id and a.appid = o.appid and a.deleted_at is not null`,
)

export const listOwnRates = ofApplication

const keyOf = (row: { merchant_id: string; appid: string; currency: string; url: string; path: string }) =>
  JSON.stringify([row.merchant_id, row.appid, row.currency, row.url, row.path])

/** The rates of all applications, which many orders of a second share. */
const stored = cacheForSecond(async (c: Queryable) => new Map((await readAll(c)).map(row => [keyOf(row), row])))

/** Returns the last rate that a URL gave, as of this second, however old; undefined before the first. */
export const getOwnRate = async (c: Queryable, now: number, of: Parameters<typeof keyOf>[0]) =>
  (await stored.get(c, now)).get(keyOf(of))

/** Replaces the URLs of an application. Their first reading follows within seconds. */
export async function setOwnRates(
  c: Queryable,
  merchantId: string,
  appid: string,
  own: readonly { currency: string; url: string; path: string }[],
): Promise<void> {
  await clear(c, merchantId, appid)
  if (own.length > 0) await insert(c, merchantId, appid, JSON.stringify(own))
}

/**
 * Reads the URLs that were not read for a minute, each once for all its rates. Returns whether more are due. A rate
 * that is implausible is not used, and the last one ages.
 */
export async function fetchOwnRates(deps: Deps): Promise<boolean> {
  const now = deps.clock()
  const due = await take(deps.pool, now, now - everySeconds, batch)
  if (due.length === 0) return false
  const read = [...Map.groupBy(due, row => row.url)].map(async ([url, rows]) => {
    const document = await readUrl(deps, url)
    return Promise.all(rows.map(async row => ({ ...row, ...(await rateIn(deps, document, row)) })))
  })
  await record(deps.pool, toJson((await Promise.all(read)).flat()), now)
  stored.forget(deps.pool)
  return due.length === batch
}

type Document = { failure: OwnRateFailure } | { json: unknown }

/** Rates decide what payers pay: outside the sandbox nobody on the way may change them. */
export const isHttpAllowed = ({ config }: Pick<Deps, 'config'>): boolean => config.mode === 'sandbox'

async function readUrl(deps: Deps, url: string): Promise<Document> {
  const { status, text } = await sendSafeRequest({
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': 'Coffer-Rates/1' },
    reach: buildCallbackReach(deps.config),
    allowHttp: isHttpAllowed(deps),
    timeoutMs,
  })
  if (status === 0) return { failure: 'unreachable' }
  if (status !== 200) return { failure: 'bad_answer' }
  try {
    return { json: parseNumbersAsText(text) }
  } catch {
    return { failure: 'bad_answer' }
  }
}

async function rateIn(
  deps: Deps,
  document: Document,
  { currency, path }: Statements['own-rates-take']['row'],
): Promise<{ rate: string; failure: OwnRateFailure }> {
  if ('failure' in document) return { rate: '', ...document }
  const rate = findRateAtPath(document.json, path)
  if (rate === null) return { rate: '', failure: 'no_value' }
  const isPlausible = await isNearMarket(deps, currency, rate, nearest)
  return isPlausible ? { rate, failure: '' } : { rate: '', failure: 'implausible' }
}

/** A merchant states rates of fiat currencies in units for one USDT, those of tokens in USDT for one. */
export const toStatedRate = (currency: string, rate: string): QuotedRate => ({
  rate,
  perUsdt: (fiats as readonly string[]).includes(currency),
})

/** Whether a stated rate is near the market's price, or the last reliable one. Without either, any is. */
export async function isNearMarket(
  deps: Deps,
  currency: string,
  rate: string,
  factor: readonly [bigint, bigint],
): Promise<boolean> {
  const price = await referencePrice(deps, currency)
  return price === null || isNearPrice(toStatedRate(currency, rate), price, factor)
}

/** The market's price in USDT or, while sources are out, the last reliable one in dollars of the last week. */
export async function referencePrice(deps: Deps, currency: string): Promise<string | null> {
  const symbol = toPriceSymbol(currency)
  const { [symbol]: quote } = await quoteInUsdt(deps, [symbol])
  if (quote) return quote.price
  const last = await lastReliablePrice(deps.pool, currency)
  return last && last.at > deps.clock() - lastPriceGood ? last.price : null
}

/** Digits of a rate: before the point at most, and after it those that are used. */
const wholeDigits = 12
const places = 12

/** Whether a rate is a decimal number within what is calculated with. */
export const isRate = (text: string): boolean =>
  isAmount(text) && text.split('.')[0]!.length <= wholeDigits && /[1-9]/.test(truncateDecimal(text, places))

/**
 * Finds the rate at a path of names and positions, with at most 12 decimal places; null when there is no positive
 * decimal number.
 */
export function findRateAtPath(json: unknown, path: string): string | null {
  let value = json
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'string' && isRate(value) ? truncateDecimal(value, places) : null
}

/** Parses JSON with its numbers as they are written, never as floats. */
export function parseNumbersAsText(text: string): unknown {
  const asWritten = (_name: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' ? context.source : value
  return JSON.parse(text, asWritten as Parameters<typeof JSON.parse>[1])
}
