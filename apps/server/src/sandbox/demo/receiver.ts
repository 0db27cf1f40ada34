import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts the shop's server, which accepts callbacks and answers 503 to every 61st. */
export async function startReceiver(): Promise<{ url: string; stop: () => Promise<void> }> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count++
      response.writeHead(count % 61 === 0 ? 503 : 200).end(count % 61 === 0 ? 'busy' : 'ok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
