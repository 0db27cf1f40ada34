import type { ShopProtocol } from '@coffer/contract/codes/shops.ts'
import type { Messages } from '../../../i18n/areas.ts'

type Place = keyof Messages<'shops'>['places']

/** Names of protocols, which are the same in each language. */
export const shopProtocolNames: Record<ShopProtocol, string> = {
  epay: 'EPay',
  epusdt: 'epusdt',
  bepusdt: 'BEpusdt',
  gmpay: 'GMPay',
  btcpay: 'BTCPay',
  coinbase: 'Coinbase Commerce',
}

/** The best-known programs that speak a protocol, each with the message that says where the values go in it. */
export const shopPrograms: Record<ShopProtocol, readonly (readonly [name: string, place: Place])[]> = {
  epay: [
    ['new-api', 'newApi'],
    ['One Hub', 'oneHub'],
    ['V2Board/Xboard', 'v2board'],
    ['SSPanel-UIM', 'sspanel'],
    ['ProxyPanel', 'proxyPanel'],
    ['dujiaoka', 'dujiaoka'],
    ['Dujiao-Next', 'dujiaoNext'],
    ['ACG-Faka', 'acgFaka'],
  ],
  epusdt: [
    ['dujiaoka', 'dujiaokaEpusdt'],
    ['V2Board/Xboard', 'v2boardEpusdt'],
    ['WHMCS', 'whmcs'],
  ],
  bepusdt: [['Dujiao-Next', 'dujiaoNextBepusdt']],
  gmpay: [['Dujiao-Next', 'dujiaoNextGmpay']],
  btcpay: [
    ['WooCommerce', 'woocommerce'],
    ['PrestaShop', 'prestashop'],
    ['WHMCS', 'whmcsBtcpay'],
    ['V2Board/Xboard', 'v2boardBtcpay'],
  ],
  coinbase: [['V2Board/Xboard', 'v2boardCoinbase']],
}
