import { createHash } from 'node:crypto'
import {
  applicationStatus,
  formatDecimal,
  type ParsedBody,
  parseDecimal,
  paymentMode,
  paymentStatus,
} from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import { computeUsdtWithSpread, powerOfTen, usdtDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { UsedKey } from '../../http/context.ts'
import { first, type Statements, tx } from '../../kit/db.ts'
import { describeAllowedValues } from '../../kit/describe-allowed-values.ts'
import { sendHints } from '../../kit/hints.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { type PriceSymbol, toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { fiats, isPricedSymbol, tokens } from '../../outside/prices/symbols.ts'
import { reserveKeyIndex, returnUnusedKeyIndex } from '../addresses/index-range.ts'
import { addressCoolDownSeconds } from '../addresses/store.ts'
import { authenticateKeyHash } from '../applications/authenticate-key.ts'
import { requireKeyScope } from '../applications/key-scopes.ts'
import { type Asset, listCachedAssets, listEnabledAssets } from '../chains/assets.ts'
import { toClosedChainRefusal } from '../chains/chain-closed.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { createPriceRefusal } from '../prices/create-price-refusal.ts'
import { marketPricing, type OrderRate, orderRates, type Pricing } from '../prices/order-rates.ts'
import { assignAsset, computeAmountInAsset } from './choose-asset.ts'
import {
  insertLeasedPayment,
  insertPayment,
  type NewPayment,
  shopFieldSql,
  storedTextFields,
  type Text,
} from './insert-payment.ts'
import { PaymentChange, savePaymentChanges } from './payment-changes.ts'
import { type Order, presentOrder, readMerchantOrder } from './present-order.ts'
import type { ShopOrder } from './shop-order.ts'
import { lockMerchantPayment } from './store.ts'

export interface CreatePaymentInput {
  merchantId: string
  appid: string
  /** The application's, if known. */
  paymentMode?: number
  /** The application's, if known. */
  pricing?: Pricing
  order: ParsedBody<'POST /api/v1/pay/orders'>
  /** The application's key, if one is used. It is checked again. */
  key?: UsedKey
  /** What the shop sent whose protocol creates it. */
  shop?: ShopOrder
  /** Id of the person who collects it. */
  collectedBy?: string
}

/** Limits on the value of a payment, in micro-USDT. */
const smallest = parseDecimal(limits.paymentUsdtMin, usdtDecimals)!
const smallestInSandbox = parseDecimal(limits.paymentUsdtMinInSandbox, usdtDecimals)!
const largest = 10n ** 18n

/** Maximum decimal places of an amount in a currency. */
export const maxCurrencyDecimalsOf = (currency: string) =>
  currency === 'USDT' ? usdtDecimals : (fiats as readonly string[]).includes(currency) ? 8 : 18

/** Fiat currencies without smaller coins than one. */
const withoutCoins = ['JPY', 'KRW', 'VND', 'CLP', 'PYG', 'UGX', 'ISK']

/** Decimal places of the smallest coin of a fiat currency. */
export const minorUnitDecimalsOf = (currency: string): number => (withoutCoins.includes(currency) ? 0 : 2)

/**
 * Creates a payment and returns it as an order. Repeating an out_trade_no with the same body returns the existing
 * order; a different body is refused with order_conflict. A shop's number counts within its connection and attempt, and
 * returns the existing order whatever it is. Locks the USDT value and the rate of each token.
 *
 * Usually one statement, which inserts nothing unless all conditions hold, among them that the application's rates are
 * those of the plan. Only then are they read one by one.
 */
export async function createPayment(deps: Deps, input: CreatePaymentInput): Promise<Order> {
  const bodyHash = createHash('sha256').update(canonical(input.order)).digest()
  try {
    const plan = await planned(deps, input, bodyHash, await listCachedAssets(deps.pool, deps.clock()))
    const made = plan.fixed && input.paymentMode === paymentMode.address ? undefined : await insert(deps, plan)
    if (made) return made
  } catch (error) {
    // The assets may be a second old, and a repeated order needs none.
    if (!(error instanceof Refusal)) throw error
  }
  const key = input.key && (await authenticateAgain(deps, input.key))
  const first = await earlier(deps, input, bodyHash)
  // guard: order-known
  if (first) return first

  try {
    const app = await applicationOf(deps.pool, input.merchantId, input.appid)
    const pricing = app && { rates: app.rates, version: app.rates_version }
    const plan = await planned(deps, { ...input, key, pricing }, bodyHash, await listEnabledAssets(deps.pool))
    mustAccept(input, app)
    const isFixed = app.payment_mode === paymentMode.address && plan.fixed
    const made = await (isFixed ? insertAtFixedAddress(deps, plan.payment, isFixed) : insert(deps, plan))
    if (made) return made
    throw new Refusal('operation_failed')
  } catch (error) {
    // Another request with the number may have been faster.
    const other = await earlier(deps, input, bodyHash)
    if (other) return other
    throw error
  }
}

/** Checks a key again, which may have been looked up seconds ago. */
async function authenticateAgain(deps: Deps, used: UsedKey): Promise<UsedKey> {
  const holder = await authenticateKeyHash(deps, used)
  requireKeyScope(holder, { scope: 'orders' })
  return holder.key
}

/** A payment to insert, and the asset that its order names. */
interface Plan {
  payment: NewPayment
  fixed: Asset | undefined
}

async function planned(
  deps: Deps,
  { merchantId, appid, order, shop, key, collectedBy = '', pricing = marketPricing }: CreatePaymentInput,
  bodyHash: Buffer,
  assets: readonly Asset[],
): Promise<Plan> {
  const fixed = fixedAsset(assets, order)
  if (!isPricedSymbol(order.currency)) throw unsupported('currency', [...tokens, ...fiats])
  const fiat = order.currency === 'USDT' ? [] : [order.currency]
  const currency = toPriceSymbol(order.currency)
  const symbols = [currency, ...assets.map(each => each.price_of)]
  const rates = await orderRates(deps, { merchantId, appid }, pricing, symbols)
  const price = rates[currency]
  if (!price) throw await createPriceRefusal(deps, order.currency, 'currency')
  if (fixed && !rates[fixed.price_of]) throw await createPriceRefusal(deps, fixed.symbol, 'token')
  const now = deps.clock()
  const payment: NewPayment = {
    ...pickTexts(order),
    merchant_id: merchantId,
    trade_no: newTradeNo(now),
    appid,
    body_hash: bodyHash,
    usdt_amount: usdtValueOf(deps, order, price),
    fiat_name: fiat[0] ?? '',
    fiat_amount: fiat.length > 0 ? order.amount : '',
    price: fiat.length > 0 ? price.locked : null,
    token_rates: tokenRates(assets, rates),
    fixed_asset_id: fixed?.id ?? null,
    tolerance_permille: order.tolerance_permille ?? null,
    metadata: order.metadata ?? {},
    auto_redirect: order.auto_redirect ?? false,
    shop: shop ?? null,
    collected_by: collectedBy,
    created_at: now,
    expire_at: now + order.expires_in,
    rates_version: pricing.version,
    key: key ?? null,
  }
  return { payment, fixed }
}

const pickTexts = (order: CreatePaymentInput['order']) =>
  Object.fromEntries(storedTextFields.map((name): [Text, string] => [name, order[name] ?? ''])) as Record<Text, string>

/** Inserts a payment in one statement. Returns undefined when it could not, for a reason to be found out. */
async function insert(deps: Deps, { payment, fixed }: Plan): Promise<Order | undefined> {
  const made = fixed ? await insertLeased(deps, payment, fixed) : await insertPayment(deps.pool, payment)
  if (!made) return undefined
  const { merchant_id, trade_no, collected_by: person } = payment
  sendHints(deps.pool, [{ merchant_id, type: 'payment', id: trade_no, ...(person && { person }) }])
  const nothing = {
    asset_id: null,
    address: null,
    key_index: null,
    amount: 0n,
    token: null,
    decimals: null,
    definition: null,
  }
  const none = {
    status: paymentStatus.open,
    exception: 'none' as const,
    paid_amount: 0n,
    fees: 0n,
    fee_bps: null,
    paid_at: 0,
  }
  return presentOrder(deps.config.publicUrl, { ...nothing, ...none, ...payment, ...made }, [])
}

async function insertLeased(deps: Deps, payment: NewPayment, asset: Asset) {
  const { id: asset_id, chain_id, kind, symbol: token, decimals, definition, contract } = asset
  const amount = computeAmountInAsset(payment, asset, payment.token_rates[token]!.price)
  const taken = await reserveKeyIndex(deps, kind)
  const address = deps.addressAt(kind, taken.index)
  const made = await insertLeasedPayment(
    deps.pool,
    { ...payment, fixed_asset_id: asset_id },
    {
      kind,
      chain_id,
      leased_for: contract === null ? 'native' : 'token',
      amount,
      address,
      index: taken.index,
      free_at: payment.expire_at + addressCoolDownSeconds,
    },
  )
  if (made?.address !== address) returnUnusedKeyIndex(deps, kind, taken)
  return made && { ...made, asset_id, token, decimals, definition, amount: String(amount) }
}

/**
 * Inserts a payment to the merchant's fixed address. Its amount is chosen while the addresses of the merchant are
 * locked.
 */
async function insertAtFixedAddress(deps: Deps, payment: NewPayment, asset: Asset): Promise<Order | undefined> {
  const { merchant_id, trade_no, created_at: now } = payment
  return tx(deps.pool, async (c, uow) => {
    if (!(await insertPayment(c, payment))) return undefined
    const change = new PaymentChange((await lockMerchantPayment(c, merchant_id, trade_no))!)
    await assignAsset(deps, c, change, asset, now)
    await savePaymentChanges(deps, uow, [change], now)
    await uow.flush()
    return readMerchantOrder(c, deps.config.publicUrl, { merchantId: merchant_id, tradeNo: trade_no })
  })
}

const applicationOf = first(
  'create-payment-application',
  `select a.status, a.payment_mode, a.tolerance_permille, a.rates, a.rates_version, m.status as merchant_status, m.frozen
   from applications a join merchants m on m.id = a.merchant_id
   where a.merchant_id = $1 and a.appid = $2 and a.deleted_at is null and m.deleted_at is null`,
)

/** Throws a Refusal when the application cannot create the order. */
function mustAccept(
  { order }: CreatePaymentInput,
  app: Statements['create-payment-application']['row'] | undefined,
): asserts app is Statements['create-payment-application']['row'] {
  if (!app) throw new Refusal('application_not_exist')
  requireActiveMerchant({ status: app.merchant_status, frozen: app.frozen }, { approved: true })
  if (app.status !== applicationStatus.enabled) throw new Refusal('application_disabled')
  // Without a tolerance the order has the application's.
  if ((order.tolerance_permille ?? 0) > app.tolerance_permille)
    throw new Refusal('tolerance_too_large', { field: 'tolerance_permille' })
}

const earlierOf = first(
  'create-payment-earlier',
  // No index condition on the application: PostgreSQL may plan to read all its payments, as it takes the columns for
  // independent.
  `select trade_no, body_hash from payments where merchant_id = $1 and (appid = $2) is true and out_trade_no = $3
     and (${shopFieldSql('connection', '')} = $4) is true and (${shopFieldSql('attempt', '1')} = $5) is true`,
)

/**
 * Returns the existing order with this out_trade_no, if any. Throws order_conflict if its body differs; a shop's is
 * compared by its protocol.
 */
async function earlier(deps: Deps, { merchantId, appid, order, shop }: CreatePaymentInput, bodyHash: Buffer) {
  const of = [shop?.connection ?? '', String(shop?.attempt ?? 1)] as const
  const row = await earlierOf(deps.pool, merchantId, appid, order.out_trade_no, ...of)
  if (!row) return undefined
  if (!shop && !row.body_hash.equals(bodyHash)) throw new Refusal('order_conflict', { field: 'out_trade_no' })
  return readMerchantOrder(deps.pool, deps.config.publicUrl, { merchantId, tradeNo: row.trade_no })
}

function fixedAsset(assets: readonly Asset[], { chain, token }: CreatePaymentInput['order']): Asset | undefined {
  if (chain === undefined) return undefined
  const onChain = assets.filter(each => each.chain_id === chain)
  if (onChain.length === 0)
    throw unsupported(
      'chain',
      assets.map(each => each.chain_id),
    )
  const asset = onChain.find(each => each.symbol === token)
  if (!asset)
    throw unsupported(
      'token',
      onChain.map(each => each.symbol),
    )
  const closed = toClosedChainRefusal(asset, 'chain')
  if (closed) throw closed
  return asset
}

/** Refuses the value of a field, and lists those that are supported. */
const unsupported = (field: string, supported: Iterable<string>) =>
  new Refusal('currency_not_supported', { field, detail: describeAllowedValues(field, supported) })

function usdtValueOf({ config }: Deps, order: CreatePaymentInput['order'], rate: OrderRate): bigint {
  const decimals = maxCurrencyDecimalsOf(order.currency)
  const units = parseDecimal(order.amount, decimals)
  const refuse = (reason: 'bad_amount' | 'amount_too_small' | 'amount_too_large', en: string, zh: string) =>
    new Refusal(reason, { field: 'amount', detail: { en: `amount: ${en}`, 'zh-CN': `amount：${zh}` } })
  if (units === null)
    throw refuse(
      'bad_amount',
      `at most ${decimals} decimal places in ${order.currency}`,
      `${order.currency} 金额最多 ${decimals} 位小数`,
    )
  const value = computeUsdtWithSpread(units, decimals, rate.stated, rate.spreadBps)
  const lowest = config.mode === 'sandbox' ? smallestInSandbox : smallest
  const [least, most] = [lowest, largest].map(each => `${formatDecimal(each, usdtDecimals)} USDT`)
  if (value < lowest) {
    const enough = leastIn(lowest, order.currency, rate)
    const [en, zh] = enough === '' ? ['', ''] : [` (${enough})`, `（${enough}）`]
    throw refuse('amount_too_small', `worth at least ${least}${en}`, `价值不低于 ${least}${zh}`)
  }
  if (value > largest) throw refuse('amount_too_large', `worth at most ${most}`, `价值不高于 ${most}`)
  return value
}

/** What is worth as many micro-USDT in a fiat currency, rounded up to its smallest coin; '' for tokens. */
function leastIn(lowest: bigint, currency: string, { stated, spreadBps }: OrderRate): string {
  if (!(fiats as readonly string[]).includes(currency)) return ''
  const coins = minorUnitDecimalsOf(currency)
  const whole = computeUsdtWithSpread(powerOfTen(12), 0, stated, spreadBps)
  const units = (lowest * powerOfTen(12 + coins) + whole - 1n) / whole
  return `${formatDecimal(units, coins)} ${currency}`
}

const tokenRates = (assets: readonly Asset[], rates: Record<PriceSymbol, OrderRate>) =>
  Object.fromEntries(
    assets.flatMap(({ symbol, price_of }) => {
      const rate = rates[price_of]
      return rate ? [[symbol, rate.locked]] : []
    }),
  )

/** Serializes an object independently of its key order, also within its metadata. */
function canonical({ metadata, ...value }: CreatePaymentInput['order']): string {
  const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(sorted({ ...value, ...(metadata && { metadata: sorted(metadata) }) }))
}
