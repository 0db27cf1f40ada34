export default {
  title: 'Payment',
  testMode: 'Test mode: no real money',
  testWallet: 'Pay from the test wallet',
  testOther: 'Another amount',
  titles: {
    choose: 'Choose how to pay',
    wait: 'Waiting for payment',
    confirm: 'Confirming payment',
    partial: 'Partly paid',
    paid: 'Payment received',
    timed_out: 'Payment expired',
    closed: 'Payment closed',
    refunding: 'Refund in progress',
    refunded: 'Refunded',
    in_doubt: 'Payment under review',
  },
  texts: {
    confirm: 'Your payment was detected. You can safely close this page.',
    paid: 'The payment is complete.',
    timed_out: 'Do not send anything to this address. To pay, place a new order with the merchant.',
    timed_out_partial:
      'Less than the full amount arrived in time. It was credited to the merchant: please contact them. Do not send anything more to this address.',
    timed_out_late: 'Do not send anything more to this address.',
    marked_paid: 'The merchant has accepted this payment.',
    closed: 'The merchant closed this payment. Do not send anything.',
    marked_invalid:
      'The merchant has marked this payment as invalid. Do not send anything. If you have paid, please contact them.',
    refunding: 'The merchant is refunding your payment.',
    refunded: 'The merchant has refunded your payment.',
    in_doubt: 'This payment needs a manual check. Your money is not lost. Please contact the merchant.',
  },
  payTo: (name: string) => `Pay ${name}`,
  rate: (currency: string, price: string) => `1 ${currency} = ${price} USDT`,
  merchantRate: 'merchant’s rate',
  network: 'Network and token',
  noChoices: 'No network is available right now. Please try again in a few minutes.',
  continue: 'Continue',
  change: 'Pay with another token',
  amount: 'Amount to send',
  rest: 'Amount still to send',
  exact: (minimum: string) =>
    `Send exactly this amount. Wallet or exchange fees are extra.${minimum && ` Transfers of less than ${minimum} count only once they add up to it.`}`,
  address: 'Receiving address',
  addressKind: (token: string, chain: string, network: string, alone: boolean) =>
    `${alone ? 'Only ' : ''}${token} on ${chain}${network && ` (${network})`}`,
  warning: (token: string, chain: string, counted: readonly string[]) =>
    counted.length > 0
      ? `Send only on ${chain}. ${counted.join(', ')} ${counted.length === 1 ? 'is also accepted at its' : 'are also accepted at their'} market value. Anything else may be lost.`
      : `Send only ${token}, and only on ${chain}. Anything else may be lost.`,
  qr: (token: string) => `QR code to pay with ${token}`,
  qrAddress: 'QR code of the address',
  qrWallet: 'Wallet link',
  qrPlain: 'Address',
  walletNote:
    'For wallets that read payment links (EIP-681). Send only if your wallet shows the receiving address above as the recipient. Otherwise enter it by hand.',
  openWallet: 'Open in wallet',
  noWallet: 'No wallet opened? Copy the amount and the address into your wallet, or scan the code with another device.',
  copy: 'Copy',
  copied: 'Copied',
  copyNamed: (name: string) => `Copy: ${name}`,
  timeLeft: 'Time left',
  waiting: 'Waiting for your payment. This page updates automatically.',
  confirmations: (seen: number, needed: number) => `${seen} of ${needed} confirmations`,
  partialText: (paid: string) => `We received ${paid}, less than the amount due. Please send the rest.`,
  partialOther: (paid: string, counted: string) =>
    `We received ${paid}, which counts as ${counted}, less than the amount due. Please send the rest.`,
  countsAs: (counted: string) => `counts as ${counted}`,
  surplus: (amount: string, token: string) =>
    `You paid ${amount} ${token} too much. Please contact the merchant for a refund.`,
  notCounted: (sent: string) => `${sent} does not count towards this payment. Please contact the merchant about it.`,
  undecided: (sent: string) =>
    `We received ${sent}. This token is not accepted here and does not count towards this payment. The operator of this service decides whether it is credited to the merchant or returned to its sender. You need not wait on this page.`,
  returning: {
    coming: (sent: string) =>
      `We received ${sent}. This token is not accepted here and does not count towards this payment. It is being returned to the address that sent it, less the network fee.`,
    sent: (sent: string) =>
      `We received ${sent}. This token is not accepted here and does not count towards this payment. It was returned to the address that sent it, less the network fee.`,
  },
  returnedStates: { coming: 'Being returned', sent: 'Returned' },
  returnedTo: 'Address that gets it back',
  lateText: 'A payment arrived after the order had ended and was credited to the merchant. Please contact them.',
  lateSeenText:
    'A payment arrived after the order had ended. It will be credited to the merchant once it is confirmed. Please contact them.',
  merchant: 'Merchant',
  number: 'Order number',
  timeUp: 'Time is up',
  timeOver:
    'Do not send anything to this address. A payment sent in time still counts: this page updates once the network has been checked up to the deadline.',
  timeoutPaid:
    'If you have already paid, your money is not lost: it will be credited to the merchant. Please contact them.',
  chainFailure:
    'Your transaction was dropped by the network before it was final. Check your wallet: if it was not resent, you can pay again.',
  delayed: 'Updates from the network are delayed. Your money is not lost; it only takes longer.',
  offline: 'No connection. Your payment is not affected; this page updates when you are back online.',
  back: (name: string) => `Back to ${name}`,
  cancel: (host: string) => `Cancel and return to ${host}`,
  leaving: (host: string, seconds: number) => `Returning to ${host} in ${seconds} s`,
  stay: 'Stay here',
  transactions: 'Transactions',
  held: 'Being checked',
  notAccepted: 'Not accepted',
  states: { seen: 'Confirming', credited: 'Received', dropped: 'Dropped', undone: 'Reversed' },
  late: 'late',
  notFound: 'Payment not found',
  notFoundText: 'Check the link, or place a new order with the merchant.',
  failed: 'This page could not be loaded',
  tryAgain: 'Try again',
  footer: 'Powered by Coffer',
}
