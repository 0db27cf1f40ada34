import type { ApplicationRates } from '@coffer/contract/applications/routes.ts'
import { fiats } from '@coffer/contract/codes.ts'
import { truncateDecimal } from '@coffer/contract/kit/truncate-decimal.ts'
import { crossRate } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { describeAllowedValues } from '../../kit/describe-allowed-values.ts'
import { readMember } from '../../kit/member.ts'
import { createFieldRefusal, Refusal } from '../../kit/refusal.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import { checkExternalUrl } from '../../outside/check-notify-url.ts'
import { isPricedSymbol, tokens } from '../../outside/prices/symbols.ts'
import { checkProof } from '../identity/proofs/check-proof.ts'
import {
  isHttpAllowed,
  isNearMarket,
  isRate,
  listOwnRates,
  referencePrice,
  setOwnRates,
  toStatedRate,
} from '../prices/own-rates.ts'
import { type ApplicationChangeInput, changeApplicationWithProof } from './change-application.ts'
import { requireKeyWithoutMoney } from './money-keys.ts'
import { readStoredRates, updateStoredRates } from './store.ts'

/** Rates of an application that never changed them. */
const marketOnly: ApplicationRates = { spread: '0', sources: ['market'], fixed: [], own: [] }

/** A fixed rate is between half and twice what the market has. */
const fixedFactor = [2n, 1n] as const

/** Reads how orders of an application are priced, and what its URLs last gave. */
export async function readApplicationRates(deps: Deps, merchantId: string, appid: string) {
  const [found, readings] = await Promise.all([
    readStoredRates(deps.pool, merchantId, appid),
    listOwnRates(deps.pool, merchantId, appid),
  ])
  if (!found) throw new Refusal('application_not_exist')
  return { ...(found.rates ?? marketOnly), readings }
}

/** Changes how new orders of an application are priced. Requires a proof, because the rates decide what payers pay. */
export async function setApplicationRates(
  deps: Deps,
  input: ApplicationChangeInput & { rates: ApplicationRates },
): Promise<void> {
  const { merchantId, appid, rates, proof } = input
  await throttleChanges(deps, merchantId)
  for (const list of ['fixed', 'own'] as const) mustBePriced(list, rates[list])
  for (const { url } of rates.own) await checkExternalUrl(deps, url, { field: 'own', allowHttp: isHttpAllowed(deps) })
  for (const { currency, rate } of rates.fixed) await checkFixed(deps, currency, rate)
  const consume = await checkProof(deps, { by: readMember(merchantId, input.from), proof, action: 'application' })
  await changeApplicationWithProof(deps, input, 'rates_changed', {}, consume, async c => {
    await requireKeyWithoutMoney(c, input)
    await updateStoredRates(c, merchantId, appid, rates)
    await setOwnRates(c, merchantId, appid, rates.own)
  })
}

/** Refuses currencies without a price, USDT, in which prices are, and a currency named twice. */
function mustBePriced(field: 'fixed' | 'own', list: readonly { currency: string }[]): void {
  const codes = list.map(each => each.currency)
  const priced = [...fiats, ...tokens].filter(each => each !== 'USDT')
  if (codes.some(code => code === 'USDT' || !isPricedSymbol(code)))
    throw new Refusal('currency_not_supported', { field, detail: describeAllowedValues(field, priced) })
  if (new Set(codes).size < codes.length) throw createFieldRefusal(field, 'each currency once', '每种货币只能填写一次')
}

/** Refuses a rate far from the market, such as one that is inverted. While no price is known, any rate is taken. */
async function checkFixed(deps: Deps, currency: string, rate: string): Promise<void> {
  if (!isRate(rate))
    throw createFieldRefusal(
      'fixed',
      'above 0, with at most 12 digits before the point',
      '须大于 0，整数部分最多 12 位',
    )
  if (await isNearMarket(deps, currency, rate, fixedFactor)) return
  const price = (await referencePrice(deps, currency))!
  const market = toStatedRate(currency, rate).perUsdt ? crossRate('1', price) : price
  const [least, most] = [crossRate(market, '2'), crossRate(market, '0.5')].map(each => truncateDecimal(each, 8))
  throw toStatedRate(currency, rate).perUsdt
    ? createFieldRefusal(
        'fixed',
        `${least} to ${most} ${currency} for 1 USDT`,
        `1 USDT 可设 ${least} 至 ${most} ${currency}`,
      )
    : createFieldRefusal(
        'fixed',
        `${least} to ${most} USDT for 1 ${currency}`,
        `1 ${currency} 可设 ${least} 至 ${most} USDT`,
      )
}
