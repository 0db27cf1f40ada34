/** Protocols of other payment services that shops speak. */
export const shopProtocols = ['epay', 'epusdt', 'bepusdt', 'gmpay', 'btcpay'] as const
export type ShopProtocol = (typeof shopProtocols)[number]

/** The currency of amounts that a protocol sends without one, unless the merchant chooses another. */
export const shopCurrency: Record<ShopProtocol, string> = {
  epay: 'CNY',
  epusdt: 'CNY',
  bepusdt: 'CNY',
  gmpay: 'CNY',
  btcpay: 'USD',
}

/** Connections that an application may have. */
export const shopConnectionsMax = 20
