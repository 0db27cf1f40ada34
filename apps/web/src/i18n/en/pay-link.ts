import amounts from './amounts.ts'

export default {
  title: 'Pay',
  loading: 'Loading',
  footer: 'Powered by Coffer',
  offline: 'No connection. Check your network and try again.',
  hiddenRemoved: 'Invisible characters were removed from what you entered.',
  tryAgain: 'Try again',
  failed: 'This page could not be loaded',
  notValid: 'This link cannot be opened',
  payee: 'Payee',
  amount: 'Amount',
  amountNeeded: 'Enter an amount such as 19.90.',
  amounts,
  atLeast: (amount: string) => `At least ${amount}`,
  atMost: (amount: string) => `At most ${amount}`,
  amountIn: (currency: string) => `Amount (${currency})`,
  pay: 'Continue to payment',
  view: 'View the payment',
  testMode: 'Test mode: no real money',
  once: 'For one payment only',
  closed: {
    used: 'This link was for one payment, which has been made.',
    expired: 'This link has expired. Ask the payee for a new one.',
    disabled: 'The payee has disabled this link.',
    unavailable: 'The payee is not accepting payments at the moment.',
  },
}
