import { createHash } from 'node:crypto'
import { applicationStatus, formatDecimal, type ParsedBody, parseDecimal, paymentStatus } from '@coffer/contract'
import { usdtAsked, usdtDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { first, type Queryable, tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { hints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { fiats, isFollowed, tokens } from '../../outside/prices/symbols.ts'
import { type Asset, enabledAssets } from '../chains/assets.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { counts, statistics } from '../statistics/statistics-write.ts'
import { giveAsset } from './choose-asset.ts'
import { quoteInUsdt } from './locked-rates.ts'
import { PaymentChange, saveChanges } from './payment-changes.ts'
import { type Order, readOrder } from './present-order.ts'
import { history, insertPayment, type LockedRate, lockPaymentOf } from './store.ts'

export interface CreatePayment {
  merchantId: string
  appid: string
  order: ParsedBody<'POST /api/v1/pay/orders'>
}

/** Limits on the value of a payment, in micro-USDT. */
const smallest = 10_000n
const largest = 10n ** 18n

/** Maximum decimal places of an amount in a currency. */
const decimalsOf = (currency: string) =>
  currency === 'USDT' ? usdtDecimals : (fiats as readonly string[]).includes(currency) ? 8 : 18

/**
 * Creates a payment and returns it as an order. Repeating an out_trade_no with the same body returns the existing order;
 * a different body is refused with order_conflict. Locks the USDT value and the rate of each token.
 */
export async function createPayment(deps: Deps, input: CreatePayment): Promise<Order> {
  const { merchantId, appid, order } = input
  const bodyHash = createHash('sha256').update(canonical(order)).digest()
  const first = await earlier(deps, deps.pool, input, bodyHash)
  // guard: order-known
  if (first) return first

  const assets = await enabledAssets(deps.pool)
  const fixed = fixedAsset(assets, order)
  if (!isFollowed(order.currency)) throw unsupported('currency', [...tokens, ...fiats])
  const fiat = order.currency === 'USDT' ? [] : [order.currency]
  const { [order.currency]: price, ...others } = await quoteInUsdt(deps, [...fiat, ...assets.map(each => each.symbol)])
  if (!price) throw new Refusal('price_unavailable', { field: 'currency' })
  const rates = assets.some(each => each.symbol === order.currency) ? { ...others, [order.currency]: price } : others
  if (fixed && !rates[fixed.symbol]) throw new Refusal('price_unavailable', { field: 'token' })
  const value = usdtValueOf(order, price)

  return tx(deps.pool, async (c, uow) => {
    const app = await lockApplication(c, merchantId, appid)
    const now = deps.clock()
    const tradeNo = newTradeNo(now)
    const inserted = await insertPayment(c, {
      merchant_id: merchantId,
      trade_no: tradeNo,
      appid,
      out_trade_no: order.out_trade_no,
      body_hash: bodyHash,
      usdt_amount: value,
      fiat_name: fiat[0] ?? '',
      fiat_amount: fiat.length > 0 ? order.amount : '',
      price: fiat.length > 0 ? price : null,
      token_rates: tokenRates(assets, rates),
      fixed_asset_id: fixed?.id ?? null,
      tolerance_permille: toleranceOf(order, app.tolerance_permille),
      mixed_payment: app.mixed_payment,
      payment_mode: app.payment_mode,
      subject: order.subject,
      attach: order.attach,
      metadata: order.metadata ?? {},
      return_url: order.return_url,
      cancel_url: order.cancel_url ?? '',
      auto_redirect: order.auto_redirect ?? false,
      notify_url: order.notify_url ?? '',
      created_at: now,
      expire_at: now + order.expires_in,
    })
    if (!inserted) {
      const other = await earlier(deps, c, input, bodyHash)
      if (!other) throw new Refusal('operation_failed')
      return other
    }
    const of = { merchant_id: merchantId, trade_no: tradeNo }
    uow.add(history, [
      { ...of, seq: 1, status: paymentStatus.open, exception: 'none', event: 'created', created_at: now },
    ])
    if (fixed) {
      const change = new PaymentChange((await lockPaymentOf(c, merchantId, tradeNo))!)
      await giveAsset(deps, c, change, fixed, now)
      await saveChanges(deps, uow, [change], now)
    } else uow.add(hints, [{ merchant_id: merchantId, type: 'payment', id: tradeNo }])
    uow.add(statistics, [{ merchant_id: merchantId, appid, asset_id: '', at: now, created_num: 1 }])
    uow.add(counts, [{ merchant_id: merchantId, appid, created_at: now, from: null, to: paymentStatus.open }])
    await uow.flush()
    return (await readOrder(c, deps.config.publicUrl, { merchantId, tradeNo }))!
  })
}

const applicationOf = first(
  'create-payment-application',
  `select a.status, a.mixed_payment, a.payment_mode, a.tolerance_permille, m.status as merchant_status, m.frozen
   from applications a join merchants m on m.id = a.merchant_id
   where a.merchant_id = $1 and a.appid = $2 and a.deleted_at is null and m.deleted_at is null
   for key share of m`,
)

/** Reads the application and locks its merchant, so that it cannot be closed or frozen before the transaction ends. */
async function lockApplication(c: Queryable, merchantId: string, appid: string) {
  const app = await applicationOf(c, merchantId, appid)
  if (!app) throw new Refusal('application_not_exist')
  mustBeActive({ status: app.merchant_status, frozen: app.frozen }, { approved: true })
  if (app.status !== applicationStatus.enabled) throw new Refusal('application_disabled')
  return app
}

const earlierOf = first(
  'create-payment-earlier',
  'select trade_no, body_hash from payments where merchant_id = $1 and appid = $2 and out_trade_no = $3',
)

/** Returns the existing order with this out_trade_no, if any. Throws order_conflict if its body differs. */
async function earlier(deps: Deps, c: Queryable, { merchantId, appid, order }: CreatePayment, bodyHash: Buffer) {
  const row = await earlierOf(c, merchantId, appid, order.out_trade_no)
  if (!row) return undefined
  if (!row.body_hash.equals(bodyHash)) throw new Refusal('order_conflict', { field: 'out_trade_no' })
  return readOrder(c, deps.config.publicUrl, { merchantId, tradeNo: row.trade_no })
}

function fixedAsset(assets: readonly Asset[], { chain, token }: CreatePayment['order']): Asset | undefined {
  if (chain === undefined) return undefined
  const onChain = assets.filter(each => each.chain_id === chain)
  if (onChain.length === 0) throw unsupported('chain', new Set(assets.map(each => each.chain_id)))
  const asset = onChain.find(each => each.symbol === token)
  if (!asset) throw unsupported('token', new Set(onChain.map(each => each.symbol)))
  if (asset.halted || !asset.started) throw new Refusal('chain_unavailable', { field: 'chain' })
  return asset
}

/** Returns the tolerance of an order: at most the application's. */
function toleranceOf({ tolerance_permille: asked }: CreatePayment['order'], most: number): number {
  if (asked !== undefined && asked > most) throw new Refusal('tolerance_too_large', { field: 'tolerance_permille' })
  return asked ?? most
}

/** Refuses the value of a field, and lists those that are supported. */
function unsupported(field: string, supported: Iterable<string>): Refusal {
  const list = [...supported]
  const detail = { en: `${field}: one of ${list.join(', ')}`, 'zh-CN': `${field}：可选值为 ${list.join('、')}` }
  return new Refusal('currency_not_supported', { field, detail })
}

function usdtValueOf(order: CreatePayment['order'], { price }: LockedRate): bigint {
  const decimals = decimalsOf(order.currency)
  const units = parseDecimal(order.amount, decimals)
  const refuse = (reason: 'bad_amount' | 'amount_too_small' | 'amount_too_large', en: string, zh: string) =>
    new Refusal(reason, { field: 'amount', detail: { en: `amount: ${en}`, 'zh-CN': `amount：${zh}` } })
  if (units === null)
    throw refuse(
      'bad_amount',
      `at most ${decimals} decimal places in ${order.currency}`,
      `${order.currency} 金额最多 ${decimals} 位小数`,
    )
  const value = usdtAsked(units, decimals, price)
  const [least, most] = [smallest, largest].map(each => `${formatDecimal(each, usdtDecimals)} USDT`)
  if (value < smallest) throw refuse('amount_too_small', `worth at least ${least}`, `价值不低于 ${least}`)
  if (value > largest) throw refuse('amount_too_large', `worth at most ${most}`, `价值不高于 ${most}`)
  return value
}

const tokenRates = (assets: readonly Asset[], rates: Record<string, LockedRate>) =>
  Object.fromEntries(Object.entries(rates).filter(([symbol]) => assets.some(asset => asset.symbol === symbol)))

/** Serializes an object independently of its key order, also within its metadata. */
function canonical({ metadata, ...value }: CreatePayment['order']): string {
  const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(sorted({ ...value, ...(metadata && { metadata: sorted(metadata) }) }))
}
