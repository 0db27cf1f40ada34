import { formatDecimal, parseDecimal } from '@coffer/contract'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { listEnabledAssets } from '../../chains/assets.ts'
import { viewCheckout } from '../../payments/checkout/checkout-routes.ts'
import { chooseAsset } from '../../payments/choose-asset.ts'
import type { ShopPayment } from '../../payments/shop-order.ts'
import type { TextFields } from '../fields.ts'
import { epusdtNetworks } from './order.ts'

/** A token on a network with which an order can be paid, as clients of BEpusdt show it to their payer. */
export interface PaymentMethod {
  amount: string
  actual_amount: string
  fiat: string
  /** Units of `fiat` for one of the token. */
  exchange_rate: string
  currency: string
  network: string
  token_net_name: string
  token_custom_name: string
  is_popular: boolean
}

/**
 * Lists how an order can be paid, as its checkout does; of the currencies that the shop allows, or without those that
 * it bars (`-TRX`).
 */
export async function paymentMethods(deps: Deps, { order, shop }: ShopPayment): Promise<PaymentMethod[]> {
  const { amount = '', currency: fiat = '', currencies = '' } = shop.fields
  const [{ choices }, assets] = await Promise.all([viewCheckout(deps, order.trade_no), listEnabledAssets(deps.pool)])
  const chains = new Map(assets.map(each => [each.id, each.chain_id]))
  const named = currencies
    .toUpperCase()
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
  const allowed = named.filter(each => !each.startsWith('-'))
  return choices.flatMap(choice => {
    if (named.includes(`-${choice.token}`) || (allowed.length > 0 && !allowed.includes(choice.token))) return []
    return {
      amount,
      actual_amount: choice.amount,
      fiat,
      exchange_rate: rateOf(amount, choice.amount),
      currency: choice.token,
      network: networkName(chains.get(choice.asset_id) ?? ''),
      token_net_name: choice.net_work || choice.chain,
      token_custom_name: '',
      is_popular: choice.token === 'USDT',
    }
  })
}

/** Gives an order the token on the network that its payer chose in the shop. Returns both as a `trade_type`. */
export async function chooseMethod(
  deps: Deps,
  { order }: ShopPayment,
  { currency = '', network = '' }: TextFields,
): Promise<string> {
  const symbol = currency.toUpperCase()
  const name = network.toLowerCase()
  const chain = epusdtNetworks[name] ?? name
  const asset = (await listEnabledAssets(deps.pool)).find(each => each.chain_id === chain && each.symbol === symbol)
  if (!asset) throw new Refusal('currency_not_supported', { field: 'currency' })
  await chooseAsset(deps, { tradeNo: order.trade_no, assetId: asset.id })
  const token = symbol.toLowerCase()
  return asset.contract === null
    ? `${networkName(chain)}.${token}`
    : `${token}.${standards[chain] ?? networkName(chain)}`
}

const standards: Record<string, string> = { tron: 'trc20', eth: 'erc20', bsc: 'bep20' }
const networkName = (chain: string): string => (chain === 'eth' ? 'ethereum' : chain)

function rateOf(amount: string, due: string): string {
  const units = parseDecimal(amount, 8)
  const per = parseDecimal(due, 18)
  return units && per ? formatDecimal((units * 10n ** 18n) / per, 8) : ''
}
