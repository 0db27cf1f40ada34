/**
 * Clients that read random pages of payments, in a process of their own. They parse the head of an answer only, so that
 * they take little of a machine that they share with the server. For each message they read for some seconds over as
 * many connections as there are tokens, and answer with the pages read per second.
 */
import { connect } from 'node:net'

export interface PageRun {
  /** Servers, which the clients take in turn. */
  urls: string[]
  tokens: string[]
  pages: number
  pageSize: number
  seconds: number
}

process.on('message', async ({ urls, tokens, pages, pageSize, seconds }: PageRun) => {
  const started = performance.now()
  let read = 0
  const client = (token: string, n: number) =>
    new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(urls[n % urls.length]!)
      const socket = connect(Number(port), hostname).setNoDelay()
      let left = 0
      const ask = () => {
        if (performance.now() - started > seconds * 1_000) return void socket.end(resolve)
        const page = 1 + Math.floor(Math.random() * pages)
        const path = `/api/v1/transactions/list?current=${page}&pageSize=${pageSize}`
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nx-token: ${token}\r\n\r\n`)
      }
      socket.on('data', part => {
        let length = part.length
        if (left === 0) {
          const end = part.indexOf('\r\n\r\n')
          const head = part.toString('latin1', 0, end)
          if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head))
          left = Number(/content-length: (\d+)/i.exec(head)?.[1])
          length -= end + 4
        }
        left -= length
        if (left > 0) return
        read++
        ask()
      })
      socket.on('error', reject)
      ask()
    })
  await Promise.all(tokens.map(client))
  process.send?.((read / (performance.now() - started)) * 1_000)
})
