import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'

/** Lets a server listen in front of a database until the scope ends, and returns the URL that leads through it. */
export async function listenInFrontOf(
  scope: Scope,
  url: string,
  { server, sockets }: { server: Server; sockets: ReadonlySet<Socket> },
): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const through = new URL(url)
  for (const name of ['host', 'port']) through.searchParams.delete(name)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as { port: number }).port)
  return through.href
}
