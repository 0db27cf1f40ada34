import { randomBytes } from 'node:crypto'
import type { ParsedBody } from '@coffer/contract'
import { applicationStatus } from '@coffer/contract/codes.ts'
import { compareDecimals, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { describeAllowedValues } from '../../kit/describe-allowed-values.ts'
import { newId } from '../../kit/ids.ts'
import { liveHints } from '../../kit/outbox.ts'
import { describeFieldRequirement, Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { fiats, isPricedSymbol, tokens } from '../../outside/prices/symbols.ts'
import { ensureCollectApplication } from '../applications/ensure-collect-application.ts'
import { applicationById } from '../applications/store.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { maxCurrencyDecimalsOf } from '../payments/create-payment.ts'
import { formatCollector } from './collect.ts'
import { insertPaymentLink, type LinkRow, paymentLinkById } from './store.ts'

type LinkRequest = ParsedBody<'POST /api/v1/payment-link'>

/** Creates a payment link of an approved merchant. Its token is 128 random bits. */
export async function createPaymentLink(
  deps: Deps,
  {
    merchantId,
    link,
    from,
    recheck,
    personId = '',
    isOwnOnly = false,
  }: {
    merchantId: string
    link: LinkRequest
    from: Visitor
    recheck?: ScopeRecheck
    /** Who makes it, and collects by it; absent for a key. */
    personId?: string
    /** Whether this person sees own payments only, and so no application but that of the counter. */
    isOwnOnly?: boolean
  },
): Promise<LinkRow> {
  const { appid: chosen, title, expire_time, ...rest } = link
  checkAmounts(link)
  const now = deps.clock()
  if (expire_time !== 0 && expire_time <= now)
    throw new Refusal('parameter_error', { field: 'expire_time', detail: future('expire_time') })
  await throttle(deps, `payment links ${formatCollector(merchantId, personId)}`, { max: 300, seconds: 3_600 })
  const counter = chosen === undefined || isOwnOnly ? await ensureCollectApplication(deps, { merchantId, from }) : ''
  const appid = chosen ?? counter
  if (isOwnOnly && appid !== counter) throw new Refusal('application_not_exist', { field: 'appid' })
  const id = newId()
  return tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    await recheck?.(c)
    const application = await applicationById(c, merchantId, appid)
    if (!application) throw new Refusal('application_not_exist', { field: 'appid' })
    if (application.status !== applicationStatus.enabled) throw new Refusal('application_disabled', { field: 'appid' })
    const token = randomBytes(16).toString('base64url')
    const made = { id, token, appid, title: title.trim(), created_at: now, expires_at: expire_time }
    await insertPaymentLink(c, { merchant_id: merchantId, ...rest, ...made, created_by: personId })
    uow.add(liveHints, [{ merchant_id: merchantId, type: 'link', id, ...(personId && { person: personId }) }])
    return (await paymentLinkById(c, merchantId, id))!
  })
}

function checkAmounts({ currency, amount, min_amount, max_amount }: LinkRequest): void {
  if (!isPricedSymbol(currency))
    throw new Refusal('currency_not_supported', {
      field: 'currency',
      detail: describeAllowedValues('currency', [...tokens, ...fiats]),
    })
  const decimals = maxCurrencyDecimalsOf(currency)
  for (const [field, value] of Object.entries({ amount, min_amount, max_amount })) {
    if (value === '') continue
    if (field !== 'amount' && amount !== '') throw new Refusal('parameter_error', { field, detail: onlyOpen(field) })
    if (parseDecimal(value, decimals) === null)
      throw new Refusal('bad_amount', {
        field,
        detail: describeFieldRequirement(
          field,
          `at most ${decimals} decimal places in ${currency}`,
          `${currency} 金额最多 ${decimals} 位小数`,
        ),
      })
  }
  if (min_amount !== '' && max_amount !== '' && compareDecimals(min_amount, max_amount) > 0)
    throw new Refusal('amount_out_of_range', { field: 'max_amount', detail: reversed('max_amount') })
}

const saying = (en: string, zh: string) => (field: string) => describeFieldRequirement(field, en, zh)
const future = saying('a time in the future, or 0', '须为将来的时间，或 0')
const onlyOpen = saying('only for links without an amount', '仅适用于未指定金额的链接')
const reversed = saying('at least the minimum amount', '不得低于最低金额')
