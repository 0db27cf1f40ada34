import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '@coffer/sdk'

/** An accepted callback with a valid signature. */
export interface Arrived {
  id: string
  type: string
  tradeNo: string
}

export interface Receiver {
  url: string
  arrived: Arrived[]
  /** Number of callbacks with an invalid signature, which must be 0. */
  forged: () => number
  useSecret: (secret: string) => void
  stop: () => Promise<void>
}

/** Starts the shop's server, which drops the connection of one callback in forty. */
export async function startReceiver(random: () => number): Promise<Receiver> {
  const arrived: Arrived[] = []
  let secret = ''
  let forged = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', part => {
      body += part
    })
    request.on('end', () => {
      if (random() < 1 / 40) return void response.destroy()
      try {
        const { id, type, data } = verifyWebhook({ secret, headers: request.headers, body })
        arrived.push({ id, type, tradeNo: 'trade_no' in data ? data.trade_no : '' })
      } catch {
        forged += 1
      }
      response.end('ok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    arrived,
    forged: () => forged,
    useSecret: given => {
      secret = given
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
