import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'

/**
 * What happens to a call.
 * - `silent`: the call does not reach the server, and the connection stays open.
 * - `cut`: the call does not reach the server, and the connection closes.
 * - `lost`: the server handles the call, the answer is dropped, and the connection stays open.
 * - `cut after`: the server handles the call, the answer is dropped, and the connection closes.
 * - `half`: half of the answer arrives, and the connection closes.
 * - `stalled`: half of the answer arrives, and the connection stays open.
 * - An object is the answer, in place of the server's.
 */
export type Fault =
  | 'pass'
  | 'silent'
  | 'cut'
  | 'lost'
  | 'cut after'
  | 'half'
  | 'stalled'
  | { status: number; body: string; type?: string }

export interface Proxy {
  url: string
  /** Faults for the next calls below /api/, in order. Later calls pass. */
  faults: Fault[]
  /** The calls received, in order. */
  calls: { method: string; path: string; headers: IncomingMessage['headers'] }[]
}

/** Starts a proxy to `target` that simulates network faults. */
export async function withProxy(scope: Scope, target: string): Promise<Proxy> {
  const proxy: Proxy = { url: '', faults: [], calls: [] }
  const server = createServer((incoming, outgoing) => {
    const isCall = incoming.url?.startsWith('/api/') ?? false
    if (isCall) {
      const { method = '', url = '', headers } = incoming
      proxy.calls.push({ method, path: url.split('?')[0] ?? '', headers })
    }
    const fault = isCall ? (proxy.faults.shift() ?? 'pass') : 'pass'
    if (fault === 'silent') return
    if (fault === 'cut') return void outgoing.destroy()
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, { 'content-type': fault.type ?? 'application/json' }).end(fault.body)
      return
    }
    forward(target, incoming, outgoing, fault)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => {
    server.closeAllConnections()
    return new Promise<void>(resolve => server.close(() => resolve()))
  })
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

/** Forwards a call to completion, even if its client disconnects, and applies the fault to the answer. */
function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault) {
  const sending = request(new URL(incoming.url ?? '/', target), {
    method: incoming.method ?? 'GET',
    headers: { ...incoming.headers, host: new URL(target).host },
  })
  sending.on('error', () => outgoing.destroy())
  sending.on('response', answer => {
    if (fault === 'pass') {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      return
    }
    const parts: Buffer[] = []
    answer.on('data', (part: Buffer) => parts.push(part))
    answer.on('end', () => {
      if (fault === 'lost') return
      if (fault === 'cut after') return void outgoing.destroy()
      const body = Buffer.concat(parts)
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': body.length })
      outgoing.write(body.subarray(0, body.length / 2), () => {
        if (fault === 'half') outgoing.destroy()
      })
    })
  })
  incoming.pipe(sending)
}
