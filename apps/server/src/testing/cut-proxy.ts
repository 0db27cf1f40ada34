import { connect, createServer, type Socket } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { listenInFrontOf } from './listen-in-front-of.ts'

/**
 * A proxy to a database that is cut by a call, or when a client sends bytes that hold a text: they still arrive, and
 * from then on it forwards nothing in any direction and closes nothing, as a network does that drops packets. Returns
 * its URL, and whether it is cut.
 */
export async function cutProxy(scope: Scope, url: string, text?: string) {
  const to = new URL(url)
  const host = to.searchParams.get('host') ?? to.hostname
  const port = Number(to.searchParams.get('port') ?? (to.port || 5432))
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const database = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const socket of [client, database]) sockets.add(socket.on('error', () => {}))
    client.on('data', bytes => {
      if (!isCut) database.write(bytes)
      if (text !== undefined && bytes.includes(text)) isCut = true
    })
    database.on('data', bytes => void (isCut || client.write(bytes)))
    client.on('close', () => void (isCut || database.destroy()))
    database.on('close', () => void (isCut || client.destroy()))
  })
  const through = await listenInFrontOf(scope, url, { server, sockets })
  const cut = () => {
    isCut = true
  }
  return { url: through, isCut: () => isCut, cut }
}
