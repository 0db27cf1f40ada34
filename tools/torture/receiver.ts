import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '@coffer/sdk'

/** One callback that arrived with a right signature and was taken. */
export interface Arrived {
  id: string
  type: string
  tradeNo: string
}

export interface Receiver {
  url: string
  arrived: Arrived[]
  /** Callbacks whose signature was wrong: there must be none. */
  forged: () => number
  useSecret: (secret: string) => void
  stop: () => Promise<void>
}

/** The shop's server. Every fortieth callback it does not take, and the connection breaks. */
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
