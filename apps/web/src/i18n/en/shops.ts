import type { ShopProtocol } from '@coffer/contract/codes/shops.ts'
import { pluralize } from '../../lib/pluralize.ts'

/** The page of a program's settings, its fields with what each takes, and what else to know. */
export interface Place {
  at: string
  fields: readonly (readonly [label: string, text: string])[]
  note?: string
}

/** Keeps the names of places, which programs are given by. */
const placesOf = <Name extends string>(places: Record<Name, Place>) => places

export default {
  title: 'Connected shops',
  text: (application: string) => `Shops that create orders of ${application}, without a line of code.`,
  several: 'An application can have several shops. Each has its own connection and key.',
  smallest: (usdt: string) => `The minimum order is ${usdt} USDT; smaller ones are refused.`,
  refunds:
    'Only BTCPay shops can start refunds: the plugin must request the right when it connects, and the settings of the application must allow its key to pay out, from an address of its IP whitelist.',
  emptyTitle: 'No shop connected',
  emptyText:
    'Many shops and panels already work with another payment service. Connect one and paste the values shown into its settings.',
  connect: 'Connect a shop',
  connectText: 'The shop gets its own key, which can create and read its orders and nothing else.',
  protocol: 'Interface of the shop',
  fits: {
    epay: (programs: string) => `${programs}, and most panels that ask for a PID and a KEY`,
    epusdt: (programs: string) => `${programs}, and plugins that ask for an address and an API token`,
    bepusdt: (programs: string) => `${programs}, and plugins of BEpusdt`,
    gmpay: (programs: string) => `${programs}, and plugins of epusdt that also ask for a PID`,
    btcpay: (programs: string) => `${programs}, and plugins and panels of BTCPay Server`,
    coinbase: (programs: string) => `${programs}, and plugins of Coinbase Commerce whose URL can be changed`,
  } as Record<ShopProtocol, (programs: string) => string>,
  webhookUrl: 'Webhook URL of the shop',
  webhookHints: {
    btcpay:
      'Only if the shop shows one beside its settings. Plugins such as that of WooCommerce register it themselves.',
    coinbase: 'The shop shows it beside its settings.',
  },
  currency: 'Currency',
  currencyHint: 'For amounts that come without one',
  currencyUsual: (code: string) => `${code} (default)`,
  method: 'Callbacks are sent by',
  methodUsual: 'What nearly every shop expects',
  // Values
  valuesTitle: 'Enter these values in the shop',
  valuesText: 'Keys are shown only once. Copy them before you close this.',
  entered: 'I have copied them',
  url: 'URL',
  urlHoldsId: 'It ends with the ID of the connection, as the shop sends none.',
  id: 'ID',
  ids: {
    epay: 'Merchant ID (PID)',
    epusdt: 'ID',
    bepusdt: 'ID',
    gmpay: 'Merchant ID (PID)',
    btcpay: 'Store ID',
    coinbase: 'ID',
  } as Record<ShopProtocol, string>,
  key: 'Key',
  keys: {
    epay: 'Merchant key (KEY)',
    epusdt: 'API token',
    bepusdt: 'API token',
    gmpay: 'Key',
    btcpay: 'API key',
    coinbase: 'API key and webhook secret',
  } as Record<ShopProtocol, string>,
  keyOnce: 'Shown only once',
  rsa: 'For shops with EPay version 2 (RSA)',
  rsaText: 'Where the shop offers it, choose it: enter these two keys in place of the one above.',
  privateKey: 'Private key of the merchant',
  publicKey: 'Public key of the platform',
  where: 'Where the values go',
  program: 'Program',
  leftEmpty: 'left empty',
  tags: { url: 'URL', id: 'ID', key: 'Key' },
  /**
   * Fields of programs, as they are called there, with what to enter: `{url}`, `{id}` and `{key}` are the values,
   * `{empty}` none.
   */
  places: placesOf({
    newApi: {
      at: 'Settings › Payment',
      fields: [
        ['Payment address', '{url}'],
        ['EPay merchant ID', '{id}'],
        ['EPay merchant key', '{key}'],
      ],
    },
    oneHub: {
      at: 'Payment gateways › New, type EPay',
      fields: [
        ['Payment domain', '{url}'],
        ['Merchant number', '{id}'],
        ['Key', '{key}'],
      ],
      note: 'Payment type: cashier.',
    },
    v2board: {
      at: 'Payment methods › New, interface EPay',
      fields: [
        ['URL', '{url}'],
        ['PID', '{id}'],
        ['KEY', '{key}'],
      ],
    },
    sspanel: {
      at: 'Settings › Billing › EPay',
      fields: [
        ['Gateway', '{url}/'],
        ['Merchant ID', '{id}'],
        ['Key', '{key}'],
      ],
      note: 'Older versions take the gateway without / at the end.',
    },
    proxyPanel: {
      at: 'System settings › Payment › EPay',
      fields: [
        ['Interface', '{url}/'],
        ['Merchant ID', '{id}'],
        ['Key', '{key}'],
      ],
    },
    dujiaoka: {
      at: 'Payment settings › New',
      fields: [
        ['Merchant ID', '{id}'],
        ['Merchant KEY', '{url}/submit.php'],
        ['Merchant secret', '{key}'],
        ['Handler route', 'pay/yipay'],
      ],
    },
    dujiaoNext: {
      at: 'Payment channels › New, EPay',
      fields: [
        ['Gateway URL', '{url}'],
        ['Merchant ID', '{id}'],
        ['Merchant key', '{key}'],
      ],
      note: 'For version 2, enter the pair of RSA keys in place of the key.',
    },
    acgFaka: {
      at: 'Payment › Plugins › EPay',
      fields: [
        ['Gateway', '{url}'],
        ['Merchant ID', '{id}'],
        ['Merchant key', '{key}'],
      ],
    },
    dujiaokaEpusdt: {
      at: 'Payment settings › New',
      fields: [
        ['Merchant ID', '{key}'],
        ['Merchant KEY', '{empty}'],
        ['Merchant secret', '{url}/api/v1/order/create-transaction'],
        ['Handler route', 'pay/epusdt'],
      ],
    },
    v2boardEpusdt: {
      at: 'Payment methods › New, plugin EpusdtPay',
      fields: [
        ['API address', '{url}'],
        ['API Token', '{key}'],
      ],
    },
    whmcs: {
      at: 'Payment gateways › EPUSDT',
      fields: [
        ['Endpoint', '{url}'],
        ['Token', '{key}'],
      ],
    },
    dujiaoNextBepusdt: {
      at: 'Payment channels › New, BEpusdt',
      fields: [
        ['Gateway URL', '{url}'],
        ['API token', '{key}'],
      ],
    },
    dujiaoNextGmpay: {
      at: 'Payment channels › New, epusdt',
      fields: [
        ['Gateway URL', '{url}'],
        ['Merchant PID', '{id}'],
        ['Secret key', '{key}'],
      ],
      note: 'Token and network, such as usdt and tron, are what payers pay with.',
    },
    woocommerce: {
      at: 'WooCommerce › Settings › BTCPay Settings',
      fields: [
        ['BTCPay Server URL', '{url}'],
        ['BTCPay API Key', '{key}'],
        ['Store ID', '{id}'],
        ['Webhook secret', '{empty}'],
      ],
      note: 'Key and ID are under the advanced settings. The plugin creates its webhook when you save.',
    },
    prestashop: {
      at: 'Modules › BTCPay Server › Configure',
      fields: [
        ['BTCPay Server URL', '{url}'],
        ['BTCPay Server API key', '{empty}'],
      ],
      note: 'Leave the key empty and save: the module comes here to ask for one of its own, and you agree.',
    },
    whmcsBtcpay: {
      at: 'Payment gateways › BTCPay Server',
      fields: [
        ['Greenfield API Key', '{key}'],
        ['Store ID', '{id}'],
        ['Manual Webhook Secret', '{empty}'],
        ['BTCPay Server URL', '{url}'],
      ],
      note: 'After you have saved, press "Set up / repair webhook".',
    },
    v2boardCoinbase: {
      at: 'Payment methods › New, interface Coinbase',
      fields: [
        ['URL', '{url}/charges'],
        ['API KEY', '{key}'],
        ['WEBHOOK KEY', '{key}'],
      ],
      note: 'Its notify URL is the webhook URL of the connection.',
    },
    v2boardBtcpay: {
      at: 'Payment methods › New, interface BTCPay',
      fields: [
        ['URL', '{url}/'],
        ['storeId', '{id}'],
        ['API KEY', '{key}'],
        ['WEBHOOK KEY', '{key}'],
      ],
      note: 'Its notify URL is the webhook URL of the connection.',
    },
  }),
  // A shop asks
  asks: (shop: string) => `${shop} requests a key`,
  aShop: 'A shop',
  asksText:
    'Continue only if you started this in your shop just now. A shop chooses its own name, so check the address.',
  asksAt: (shop: string) => (shop ? `The key for ${shop} is sent to` : 'The key is sent to'),
  asksShown: 'The key is shown to you, to enter in the shop.',
  may: 'The key may',
  mayList: [
    'create orders and read its own',
    'mark an order that has received nothing as invalid',
    'set where its payments are reported',
  ],
  mayNot: 'It may not',
  mayRefund: 'make refund links of its paid orders, once the application allows its key to pay out',
  mayNotList: ['see balances or orders of other shops', 'change settings of your account', 'withdraw'],
  mayNotRefund: 'refund',
  notGiven: (names: string) => `Also requested, but not granted: ${names}`,
  allow: 'Connect this shop',
  application: 'Application',
  applicationHint: 'Orders of the shop belong to it.',
  badReturn: 'The shop gave an address to which no key can be sent: it must begin with https.',
  sent: (host: string) => `Sending the key to ${host}`,
  // List
  used: 'In use',
  unused: 'Key not used yet',
  oldKeyUntil: 'Old key valid until',
  connected: 'Connected',
  refused: 'Refused requests',
  refusedText: (days: number) =>
    `In the last ${days} days, with the reason that the shop or its customers saw. A wrong key may also be somebody else’s attempt.`,
  refusedNone: (days: number) => `Nothing of this shop was refused in the last ${days} days.`,
  refusedTimes: (shown: string, count: number) => `${shown} ${pluralize(count, 'time', 'times')}`,
  refusedLast: 'last',
  refusedAll: (count: number) => `Show all ${count}`,
  refusedFewer: 'Show fewer',
  renew: 'Renew key',
  renewTitle: 'Renew the key of this shop?',
  renewText: (protocol: string) =>
    `The ${protocol} shop gets a new key. Choose how long the current key stays valid, so that you can switch the shop without a gap. Callbacks are signed with the current key until the shop has used the new one.`,
  end: 'Disconnect',
  endTitle: 'Disconnect this shop?',
  endText: (protocol: string) =>
    `Its key stops working immediately and permanently: the ${protocol} shop can create no more orders and cannot read those it has. Open orders can still be paid, and the shop is still notified.`,
  ended: 'The shop has been disconnected.',
  // Test
  test: 'Test the connection',
  testTitle: 'Test the connection',
  testText:
    'Creates an order as the shop would, pays it from the wallet of the sandbox, and shows how the shop answers the callback.',
  testAmount: (currency: string) => `Amount in ${currency}`,
  testAmountHint: 'Left empty, 0.01, or 1 or 1,000 where that is too little',
  testName: 'Title of the order',
  testElsewhere:
    'Test orders exist in the sandbox only. Here, pay a small order of the shop; the callback records show how it answers.',
  notifyUrl: 'Notify URL of the shop',
  notifyHint: 'The shop sends it with each order. A server that only receives will do for a test.',
  order: 'Order number',
  amount: 'Amount',
  status: 'Status',
  checkout: 'Checkout',
  open: 'Open',
  callback: 'Callback',
  callbackWaits: 'Waiting for the payment to be confirmed.',
}
