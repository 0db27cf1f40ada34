import type { ShopProtocol } from '@coffer/contract/shop-codes.ts'

export default {
  title: 'Connected shops',
  text: (application: string) => `Programs that create orders of ${application} without code.`,
  emptyTitle: 'No shop connected',
  emptyText:
    'Many shops and panels can already pay through another payment service. Connect one, and paste the values that you get into it.',
  connect: 'Connect a shop',
  connectText: 'The shop gets a key of its own, which creates and reads its orders and does nothing else.',
  protocol: 'What the shop speaks',
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
      'Only where the shop shows one beside its settings. Plugins such as that of WooCommerce register it themselves.',
    coinbase: 'The shop shows it beside its settings.',
  },
  currency: 'Currency',
  currencyHint: 'Of amounts that come without one',
  currencyUsual: (code: string) => `${code} (usual)`,
  method: 'Callbacks are sent by',
  methodUsual: 'What nearly every shop expects',
  // Values
  valuesTitle: 'Enter these values in the shop',
  valuesText: 'Keys are shown only once. Copy them before you close this.',
  entered: 'I have copied them',
  url: 'URL',
  urlHoldsId: 'It ends with the id of the connection, as the shop sends none.',
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
  where: 'Where they go',
  lines: {
    newApi:
      'Settings, payment: "Payment address" takes the URL, "EPay merchant ID" the ID and "EPay merchant key" the key.',
    oneHub:
      'New gateway of type EPay: "Payment domain" takes the URL, "Merchant number" the ID and "Key" the key. Payment type: cashier.',
    v2board: 'Payment method with the interface EPay: URL, PID and KEY take the three values.',
    sspanel:
      'EPay in the billing settings: gateway, merchant ID and key. Newer versions need a / at the end of the URL.',
    proxyPanel: 'EPay in the system settings: interface with a / at the end of the URL, merchant ID and key.',
    dujiaoka:
      'Payment method with the handler pay/yipay: merchant ID takes the ID, merchant KEY the URL followed by /submit.php, merchant secret the key.',
    dujiaoNext: 'Payment channel EPay: gateway URL, merchant ID and merchant key; for version 2 the pair of RSA keys.',
    acgFaka: 'Payment plugin EPay: gateway takes the URL, merchant ID the ID and merchant key the key.',
    dujiaokaEpusdt:
      'Payment method with the handler pay/epusdt: merchant ID takes the key, merchant secret the URL followed by /api/v1/order/create-transaction. Merchant KEY stays empty.',
    v2boardEpusdt: 'Plugin EpusdtPay: API address takes the URL, API Token the key.',
    whmcs: 'Gateway module EPUSDT: Endpoint takes the URL, Token the key.',
    dujiaoNextBepusdt: 'Payment channel BEpusdt: gateway URL takes the URL, API token the key.',
    dujiaoNextGmpay:
      'Payment channel epusdt: gateway URL, merchant PID and secret key take the three values. Token and network, such as usdt and tron, are what payers pay with.',
    woocommerce:
      'WooCommerce, Settings, BTCPay Settings: "BTCPay Server URL" takes the URL; under advanced settings "BTCPay API Key" takes the key and "Store ID" the ID. The webhook secret stays empty: the plugin makes its webhook when you save.',
    v2boardCoinbase:
      'Payment method with the interface Coinbase: the address takes the URL followed by /charges; API KEY and WEBHOOK KEY both take the key. Its notify URL is the webhook URL of the connection.',
    v2boardBtcpay:
      'Payment method with the interface BTCPay: the URL with a / at its end, storeId takes the ID; API KEY and WEBHOOK KEY both take the key. Its notify URL is the webhook URL of the connection.',
  },
  // A shop asks
  asks: (shop: string) => `${shop} asks for a key`,
  aShop: 'A shop',
  asksText: 'Only go on if you started this in your shop just now. A shop chooses its own name, so check the address.',
  asksAt: 'The key is sent to',
  asksShown: 'The key is shown to you, to enter in the shop.',
  may: 'The key may',
  mayList: [
    'create orders, and read its own',
    'mark an order as invalid that has received nothing',
    'choose where its payments are reported',
  ],
  mayNot: 'It may not',
  mayNotList: ['see balances or the orders of others', 'withdraw or refund', 'change settings of your account'],
  notGiven: (names: string) => `Also asked for, and not given: ${names}`,
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
  renew: 'Renew key',
  renewTitle: 'Renew the key of this shop?',
  renewText: (protocol: string) =>
    `The ${protocol} shop gets a new key. Choose how long the current key stays valid, so that you can change the shop over without a gap. Callbacks are signed with the current key until the shop has used the new one.`,
  end: 'Disconnect',
  endTitle: 'Disconnect this shop?',
  endText: (protocol: string) =>
    `Its key stops working immediately and permanently: the ${protocol} shop can create no more orders and cannot read those it has. Orders that are open can still be paid, and the shop is still told.`,
  ended: 'The shop has been disconnected.',
  // Test
  test: 'Test the connection',
  testTitle: 'Test the connection',
  testText:
    'Makes an order of 0.01, or of 1 or 1,000 where that is too little, as the shop would, pays it from the wallet of the sandbox, and shows the callback arriving.',
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
