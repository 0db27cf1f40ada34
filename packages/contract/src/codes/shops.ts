import { isUrl } from '../kit/validators.ts'

/** Protocols of other payment services that shops speak. */
export const shopProtocols = ['epay', 'epusdt', 'bepusdt', 'gmpay', 'btcpay', 'coinbase'] as const
export type ShopProtocol = (typeof shopProtocols)[number]

/** The currency of amounts that a protocol sends without one, unless the merchant chooses another. */
export const defaultShopCurrencies: Record<ShopProtocol, string> = {
  epay: 'CNY',
  epusdt: 'CNY',
  bepusdt: 'CNY',
  gmpay: 'CNY',
  btcpay: 'USD',
  coinbase: 'USD',
}

/** Days for which refusals of a shop are stored. */
export const shopRefusalDays = 30

/** Connections that an application may have. */
export const shopConnectionsMax = 20

/** What a key may do in words of BTCPay's API, unless the plugin asks for a part of it. */
export const btcpayPermissions = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.canmodifyinvoices',
  'btcpay.store.webhooks.canmodifywebhooks',
] as const

/** Makes refund links of the shop's paid orders, where the application lets its key pay out. */
export const btcpayRefundPermission = 'btcpay.store.cancreatenonapprovedpullpayments'

/** What a plugin may ask for: the settings of a store here are its webhook. */
const requestedPermissions: readonly string[] = [
  ...btcpayPermissions,
  'btcpay.store.canmodifystoresettings',
  btcpayRefundPermission,
]

/** The permissions that a plugin asks for and gets. */
export const filterBtcpayPermissions = (requested: readonly string[]): string[] =>
  requestedPermissions.filter(each => requested.includes(each))

/** The permissions of the key of a connection. Plugins refuse a key with others than those that they requested. */
export const btcpayPermissionsOf = (id: string, requested: readonly string[]): string[] => {
  const among = filterBtcpayPermissions(requested)
  return (among.length > 0 ? among : btcpayPermissions).map(each => `${each}:${id}`)
}

/**
 * The origin to which a key may be sent that a shop asks for, or null: https, or http of this machine or in the
 * sandbox. The name of the host holds nothing that means more in a Content-Security-Policy.
 */
export function parseShopOrigin(redirect: string, inSandbox: boolean): string | null {
  if (!isUrl(redirect)) return null
  const { protocol, hostname, origin } = new URL(redirect)
  if (!/^[a-z0-9.-]+$/.test(hostname)) return null
  return protocol === 'https:' || inSandbox || hostname === 'localhost' || hostname === '127.0.0.1' ? origin : null
}
