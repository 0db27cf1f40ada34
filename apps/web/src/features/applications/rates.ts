import { rateSources } from '@coffer/contract/codes/applications.ts'
import { fiats } from '@coffer/contract/kit/fiats.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { isJsonPath, isSpread, isUrl } from '@coffer/contract/kit/validators.ts'
import type { RouteData } from '../../api/index.ts'
import { parseTypedAmount } from '../../ui/controls/typedAmount.ts'

export type ApplicationRateSettings = RouteData<'GET /api/v1/user/secret-key/rates'>
export type RateSource = (typeof rateSources)[number]

/** Form values; rates are lines of text. */
export interface RatesForm {
  spread: string
  sources: RateSource[]
  fixed: string
  own: string
}

export const toRatesForm = ({ spread, sources, fixed, own }: ApplicationRateSettings): RatesForm => ({
  spread,
  sources,
  fixed: fixed.map(({ currency, rate }) => `${currency} ${rate}`).join('\n'),
  own: own.map(({ currency, url, path }) => `${currency} ${url} ${path}`).join('\n'),
})

const wordsOf = (text: string): string[][] =>
  text
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([first]) => first !== '')

export const parseFixedRates = (text: string) =>
  wordsOf(text).map(([currency = '', rate = '']) => ({ currency: currency.toUpperCase(), rate }))
export const parseOwnRates = (text: string) =>
  wordsOf(text).map(([currency = '', url = '', path = '']) => ({ currency: currency.toUpperCase(), url, path }))

const isCode = (text = '') => /^[A-Za-z]{3,5}$/.test(text)

export const areValidFixedRates = (text: string): boolean =>
  wordsOf(text).length <= limits.fixedRatesMax &&
  wordsOf(text).every(
    ([currency, rate = '', ...more]) => isCode(currency) && parseTypedAmount(rate) === rate && more.length === 0,
  )
export const areValidOwnRates = (text: string): boolean =>
  wordsOf(text).length <= limits.ownRatesMax &&
  wordsOf(text).every(
    ([currency, url = '', path = '', ...more]) =>
      isCode(currency) && isUrl(url) && isJsonPath(path) && more.length === 0,
  )

/** A percentage as typed, with its sign and without the percent. */
export const parseSpread = (text: string): string =>
  text.trim().replace(/^\+/, '').replace(/%$/, '').trimEnd().replace(',', '.')
export const isValidSpreadText = (text: string): boolean => isSpread(parseSpread(text))

/** The sources in the order in which they are used, then those that are not. */
export const orderRateSources = (chosen: readonly RateSource[]): RateSource[] => [
  ...chosen,
  ...rateSources.filter(each => !chosen.includes(each)),
]

/** The list with the source one place earlier. */
export function moveRateSourceEarlier(chosen: readonly RateSource[], source: RateSource): RateSource[] {
  const at = chosen.indexOf(source)
  return at < 1 ? [...chosen] : [...chosen.slice(0, at - 1), source, chosen[at - 1]!, ...chosen.slice(at + 1)]
}

/** In which unit the rate of a currency is stated. */
export const rateUnitsOf = (currency: string) =>
  (fiats as readonly string[]).includes(currency) ? { of: 'USDT', in: currency } : { of: currency, in: 'USDT' }
