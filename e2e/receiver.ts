import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'

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
