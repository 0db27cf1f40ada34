/**
 * A shell command that creates a payment. The key is read from the variable of the documentation; a test key, which
 * moves no real money, may be set by the command itself.
 */
export const formatFirstPaymentCommand = (origin: string, secretKey?: string): string =>
  [
    ...(secretKey?.startsWith('sk_test_') ? [`export COFFER_KEY=${secretKey}`] : []),
    `curl ${origin}/api/v1/pay/orders \\`,
    `  -H "Authorization: Bearer $COFFER_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"out_trade_no": "first-1", "amount": "10", "currency": "USDT"}'`,
  ].join('\n')

/** Applications with keys for a server: links have one of their own. */
export const selectServerApplications = <A extends { collects: boolean }>(applications: readonly A[]): A[] =>
  applications.filter(({ collects }) => !collects)

/** The `appid` in the URL of /appManage that opens the form of a new application. */
export const newApplicationParam = 'new'
