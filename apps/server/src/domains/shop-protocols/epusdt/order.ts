import { createHash } from 'node:crypto'
import { formatDecimal, parseDecimal, paymentStatus } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { CallbackProtocol } from '../../../callback-form.ts'
import type { Deps } from '../../../deps.ts'
import { toPriceSymbol } from '../../../kit/price-symbol.ts'
import { createFieldRefusal } from '../../../kit/refusal.ts'
import { listEnabledAssets } from '../../chains/assets.ts'
import type { Order } from '../../payments/present-order.ts'
import type { ShopPayment } from '../../payments/shop-order.ts'
import { createPriceRefusal } from '../../prices/create-price-refusal.ts'
import { orderRates } from '../../prices/order-rates.ts'
import { isConfirmation } from '../confirms.ts'
import { refuseHiddenFields, type TextFields, toDisplayTitle } from '../fields.ts'
import { formatOrderAmount, trimZeros } from '../json-fields.ts'
import { createShopPayment, findPaidOrder, isMoneyReturned } from '../shop-payment.ts'
import {
  createSignatureRefusal,
  findConnection,
  isTimingSafeEqual,
  type ShopCaller,
  unsealSigningKey,
} from '../use-connection.ts'

export const epusdtProtocols = ['epusdt', 'bepusdt', 'gmpay'] as const
/**
 * GMPay names the address `receive_address`, where the others call it `token`. `choice` is create-order of BEpusdt,
 * whose payer chooses the token.
 */
export type EpusdtDialect = 'epusdt' | 'gmpay' | 'choice'

/** Networks by the names that clients use, and the ids of our chains. */
export const epusdtNetworks: Record<string, string> = {
  trc20: 'tron',
  tron: 'tron',
  erc20: 'eth',
  ethereum: 'eth',
  eth: 'eth',
  bep20: 'bsc',
  bsc: 'bsc',
  binance: 'bsc',
  polygon: 'polygon',
  base: 'base',
  arbitrum: 'arbitrum',
  // No client of this protocol names these; they go by our ids.
  optimism: 'optimism',
  avalanche: 'avalanche',
}

/** Fields of an order that sort before `notify_url`. */
const beforeTheRest = ['amount', 'currency', 'fiat', 'network']

// MD5 is what the protocol prescribes: over the sorted fields that are not empty, and the key.
const signature = (fields: TextFields, key: string): string =>
  createHash('md5')
    .update(
      Object.keys(fields)
        .filter(name => name !== 'signature' && fields[name] !== '')
        .sort()
        .map(name => `${name}=${fields[name]}`)
        .join('&') + key,
      'utf8',
    )
    .digest('hex')

/**
 * Finds who signed the fields in one of their readings, by the id in the path or in the fields, and the reading that
 * was signed.
 */
export async function authenticateEpusdtCaller(
  deps: Deps,
  { id, readings, request }: { id: string; readings: [TextFields, ...TextFields[]]; request: FastifyRequest },
): Promise<{ caller: ShopCaller; fields: TextFields }> {
  const found = await findConnection(deps, { id, protocol: epusdtProtocols, field: 'signature', request })
  const given = (readings[0].signature ?? '').toLowerCase()
  const signed = found.keys.flatMap(key =>
    readings.filter(fields => isTimingSafeEqual(signature(fields, key), given)).map(fields => ({ key, fields })),
  )[0]
  if (!signed) throw createSignatureRefusal('signature')
  refuseHiddenFields(signed.fields, beforeTheRest)
  await found.checkUse(signed.key)
  return { caller: found, fields: signed.fields }
}

/**
 * Creates the order that the fields describe, in the token on the network that they name; without, the payer chooses.
 */
export async function createEpusdtOrder(
  deps: Deps,
  caller: ShopCaller,
  fields: TextFields,
  dialect: EpusdtDialect,
): Promise<ShopPayment> {
  const { order_id = '', amount = '', notify_url = '', redirect_url = '', name = '', timeout = '', rate = '' } = fields
  const { currencies = '' } = fields
  if (notify_url === '') throw createFieldRefusal('notify_url', 'required', '必填')
  if (fields.address)
    throw createFieldRefusal('address', 'none, each order has an address of its own', '不支持，每笔订单使用独立地址')
  const currency = (fields.fiat || fields.currency || caller.connection.currency).toUpperCase()
  // A number from a calculation is signed and repeated as it came, and paid in coins.
  const due = /\.\d{9,}$/.test(amount) ? formatOrderAmount(currency, Number(amount)) : amount
  const { paymentTtlSecondsMin: least, paymentTtlSecondsMax: most, paymentTtlSecondsDefault: usual } = limits
  if (!/^\d{0,6}$/.test(timeout)) throw createFieldRefusal('timeout', 'seconds', '秒数')
  return createShopPayment(deps, caller, {
    requested: { amount: due, currency },
    price: async () => ({
      ...(await priced(deps, caller, { amount: due, currency, rate })),
      ...(await assetOf(deps, fields, dialect)),
    }),
    order: {
      out_trade_no: order_id,
      subject: toDisplayTitle(name),
      notify_url,
      return_url: redirect_url,
      auto_redirect: redirect_url !== '',
      expires_in: timeout ? Math.min(Math.max(Number(timeout), least), most) : usual,
    },
    form: 'epusdt',
    fields: {
      order_id,
      amount,
      dialect,
      pid: fields.pid ?? '',
      currency,
      ...(currencies && { currencies }),
    },
    renamed: { out_trade_no: 'order_id', return_url: 'redirect_url', subject: 'name' },
  })
}

/**
 * How a rate is stated: in units of the currency for one USDT, as a factor of the market's (`~1.02`), or as a distance
 * from it (`+0.3`).
 */
const rateForm = /^([~+-]?)(\d{1,8}(?:\.\d{1,8})?)$/

/** The amount, or its value in USDT at the rate that the shop states, rounded up. */
async function priced(
  deps: Deps,
  caller: ShopCaller,
  { amount, currency, rate }: Record<'amount' | 'currency' | 'rate', string>,
): Promise<{ amount: string; currency: string }> {
  if (rate === '') return { amount, currency }
  const [, form = '', text = ''] = rateForm.exec(rate) ?? []
  const units = parseDecimal(amount, 8)
  if (units === null || units <= 0n) throw createFieldRefusal('amount', 'a decimal number', '须为十进制数字')
  let per = parseDecimal(text, 8) ?? 0n
  if (form !== '') {
    const market = await marketRate(deps, caller, currency)
    per = form === '~' ? (market * per) / 100_000_000n : form === '+' ? market + per : market - per
  }
  if (per <= 0n)
    throw createFieldRefusal('rate', 'a number such as 7.4, ~1.02 or +0.3', '须为数字，例如 7.4、~1.02 或 +0.3')
  return { amount: formatDecimal((units * 1_000_000n + per - 1n) / per, 6), currency: 'USDT' }
}

/** Units of a currency for one USDT, with 8 decimal places, as the application's orders are priced now. */
async function marketRate(deps: Deps, { connection, pricing }: ShopCaller, currency: string): Promise<bigint> {
  const of = { merchantId: connection.merchant_id, appid: connection.appid }
  const symbol = toPriceSymbol(currency)
  const price = parseDecimal((await orderRates(deps, of, pricing, [symbol]))[symbol]?.locked.price ?? '', 18)
  if (!price) throw await createPriceRefusal(deps, currency, 'currency')
  return 10n ** 26n / price
}

async function assetOf(
  deps: Deps,
  fields: TextFields,
  dialect: EpusdtDialect,
): Promise<{ chain?: string; token?: string }> {
  const type = (fields.trade_type ?? '').toLowerCase()
  const [first = '', second = ''] = type.split('.')
  const given =
    dialect === 'gmpay' ? { symbol: fields.token ?? '', network: fields.network ?? '' } : nameOf(first, second)
  if (given.network !== '' || given.symbol !== '') {
    const chain = epusdtNetworks[given.network.toLowerCase()] ?? given.network.toLowerCase()
    return { chain: chain || 'tron', token: (given.symbol || 'USDT').toUpperCase() }
  }
  // Clients of epusdt know no other network, and those of BEpusdt take it for the usual one.
  if (dialect !== 'epusdt') return {}
  const tron = (await listEnabledAssets(deps.pool)).find(each => each.chain_id === 'tron' && each.symbol === 'USDT')
  return tron && !tron.halted && tron.started ? { chain: 'tron', token: 'USDT' } : {}
}

/** `usdt.trc20` names token and network, `tron.trx` network and native coin. */
const nameOf = (first: string, second: string) =>
  first in epusdtNetworks ? { symbol: second, network: first } : { symbol: first, network: second }

/** The number that JSON holds for a decimal text; the text itself where a double would change it. */
function numberOf(text: string): number | string {
  const plain = trimZeros(text)
  return String(Number(plain)) === plain ? Number(plain) : text
}

/**
 * The same in what we sign. Clients sign their own text of a number, and PHP writes those below 0.0001 with an
 * exponent: such a number is sent as its text.
 */
function signedNumber(text: string): number | string {
  const number = numberOf(text)
  return Number(number) >= 0.0001 && Number(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

/**
 * The order in the answer to its creation. BEpusdt's clients read amounts as texts, and how many seconds an order has
 * left.
 */
export function presentEpusdtOrder(payment: ShopPayment, { protocol }: { protocol: string }, now: number) {
  const { order, shop } = payment
  const { amount = '', order_id = '', dialect, currency } = shop.fields
  const isBepusdt = protocol === 'bepusdt'
  const write = isBepusdt ? String : numberOf
  return {
    trade_id: order.trade_no,
    order_id,
    amount: write(amount),
    ...(dialect === 'gmpay' && { currency: order.fiat_name || 'USDT' }),
    ...(isBepusdt && { fiat: currency, status: stateOf(payment) }),
    actual_amount: write(dueOf(order)),
    ...(dialect === 'gmpay' ? { receive_address: order.address, token: order.token } : { token: order.address }),
    expiration_time: isBepusdt ? Math.max(0, order.expire_time - now) : order.expire_time,
    payment_url: order.pay_url,
  }
}

/**
 * The state of an order, as clients ask for it: in the envelope of the other calls, and as older ones read it beside
 * that.
 */
export function presentStatus(payment: ShopPayment) {
  const { order, shop } = payment
  const data = { trade_id: order.trade_no, order_id: shop.fields.order_id ?? '', status: stateOf(payment) }
  return { ...data, trade_hash: order.deposits.at(-1)?.txid ?? '', return_url: '', data }
}

/** 1 waiting, 2 paid, 3 over: also what was paid and went back. */
function stateOf(payment: ShopPayment): 1 | 2 | 3 {
  if (payment.paid) return 2
  const ended: readonly number[] = [paymentStatus.timed_out, paymentStatus.closed]
  return isMoneyReturned(payment) || ended.includes(payment.order.status) ? 3 : 1
}

const dueOf = (order: Order): string => (order.amount === '0' ? order.usdt_amount : order.amount)

/** Callbacks of epusdt and its kin: JSON with status 2, confirmed by `ok`. */
export const epusdtCallbackForm: CallbackProtocol = {
  async request(deps, callback) {
    const found = await findPaidOrder(deps, callback)
    if (!found) return null
    const { payment, connection } = found
    const { order, shop } = payment
    const { amount = '', order_id = '', dialect, pid = '' } = shop.fields
    const sent: Record<string, string | number> = {
      ...(pid && { pid }),
      trade_id: order.trade_no,
      order_id,
      amount: signedNumber(amount),
      actual_amount: signedNumber(dueOf(order)),
      ...(dialect === 'gmpay' ? { receive_address: order.address, token: order.token } : { token: order.address }),
      block_transaction_id: order.deposits.at(-1)?.txid ?? '',
      status: 2,
    }
    const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
    return {
      url: callback.url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Coffer-Callback/1' },
      body: JSON.stringify({ ...sent, signature: signature(texts, unsealSigningKey(deps, connection)) }),
    }
  },
  confirms: isConfirmation,
}
