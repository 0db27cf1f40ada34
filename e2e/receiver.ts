import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import { verifyWebhook } from '@coffer/sdk'

/** A request received by the merchant's server. */
export interface Received {
  headers: Record<string, string>
  body: string
}

/** Starts a merchant's server that records its requests and answers 200. */
export async function withReceiver(scope: Scope): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body })
      response.end('ok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => new Promise<void>(resolve => void server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/coffer`, received }
}

/**
 * Waits for the `payment.paid` callback and verifies its signature. A server killed during delivery leaves the callback
 * leased for a minute, and later callbacks of the payment wait for it.
 */
export async function paidCallbacks(received: Received[], secret: string, tradeNo: string) {
  const paid = () =>
    received
      .map(({ headers, body }) => verifyWebhook({ secret, headers, body }))
      .flatMap(({ id, type, data }) =>
        type === 'payment.paid' && 'trade_no' in data && data.trade_no === tradeNo ? [{ id, order: data }] : [],
      )
  return until('a payment.paid callback arrives', paid, each => each.length > 0)
}
