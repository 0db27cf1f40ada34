import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'

/** A callback received by a merchant's server. */
export interface Received {
  id: string
  headers: http.IncomingHttpHeaders
  body: string
}

/** Starts a merchant's server on this machine. `answer` handles each request; by default it responds with 204. */
export async function testReceiver(
  scope: Scope,
  answer: http.RequestListener = (_, response) => response.writeHead(204).end(),
) {
  const received: Received[] = []
  const waiting: { enough: () => boolean; done: () => void }[] = []
  const self = { answer, received, url: '', until, close }
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ id: String(request.headers['webhook-id']), headers: request.headers, body })
    self.answer(request, response)
    for (const each of waiting) if (each.enough()) each.done()
  })
  /** Resolves after this many requests. */
  function until(count: number): Promise<void> {
    const enough = () => received.length >= count
    return enough() ? Promise.resolve() : new Promise(done => waiting.push({ enough, done }))
  }
  function close() {
    server.closeAllConnections()
    return new Promise<void>(resolve => void server.close(() => resolve()))
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`
  scope.after(close)
  return self
}
