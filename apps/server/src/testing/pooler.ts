import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { listenInFrontOf } from './listen-in-front-of.ts'

/** How long a client keeps a connection of the database. */
type Mode = 'session' | 'transaction'

/** A message: its type, and its bytes with type and length. */
function* messages(bytes: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + bytes.readInt32BE(at + 1)
    yield { type: String.fromCharCode(bytes[at]!), bytes: bytes.subarray(at, at + size) }
    at += size
  }
}

function message(type: string, ...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(5 + 4 * numbers.length)
  bytes.write(type)
  bytes.writeInt32BE(4 + 4 * numbers.length, 1)
  for (const [i, each] of numbers.entries()) bytes.writeInt32BE(each, 5 + 4 * i)
  return bytes
}
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** Sends what a client sent first, and waits until the database is ready for a query. */
async function logIn(backend: Socket, startup: Buffer): Promise<void> {
  backend.write(startup)
  for (let ready = false; !ready; ) {
    const [bytes] = (await once(backend, 'data')) as [Buffer]
    ready = bytes.includes(idle)
  }
}

/**
 * As much of PgBouncer as plain statements need: clients share at most `size` connections to the database, and are told
 * invented process ids. Returns its URL.
 */
export async function startPooler(scope: Scope, url: string, { mode, size }: { mode: Mode; size: number }) {
  const to = new URL(url)
  const port = Number(to.searchParams.get('port') ?? (to.port || 5432))
  const host = to.searchParams.get('host') ?? to.hostname
  const sockets = new Set<Socket>()
  const free: Socket[] = []
  const waiting: ((backend: Socket) => void)[] = []
  let opened = 0
  const open = async (startup: Buffer) => {
    const backend = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    sockets.add(backend.on('error', () => {}))
    await logIn(backend, startup)
    return backend
  }
  const take = async (startup: Buffer): Promise<Socket> => {
    const last = free.pop()
    if (last) return last
    if (opened < size) {
      opened += 1
      return open(startup)
    }
    return new Promise(resolve => waiting.push(resolve))
  }
  const give = (backend: Socket) => {
    const next = waiting.shift()
    if (next) next(backend)
    else free.push(backend)
  }
  const server = createServer(client => {
    let startup: Buffer | undefined
    let backend: Socket | undefined
    sockets.add(client.on('error', () => {}))
    const answer = (bytes: Buffer) => {
      client.write(bytes)
      const isOver = [...messages(bytes)].some(each => each.bytes.equals(idle))
      if (isOver && mode === 'transaction') leave()
    }
    const leave = () => {
      if (!backend) return
      backend.off('data', answer)
      give(backend)
      backend = undefined
    }
    client.on('data', async (bytes: Buffer) => {
      if (!startup) {
        startup = bytes
        return void client.write(Buffer.concat([message('R', 0), message('K', 1, 1), idle]))
      }
      for (const each of messages(bytes)) {
        if (each.type === 'X') return void client.end()
        if (!backend) backend = (await take(startup)).on('data', answer)
        backend.write(each.bytes)
      }
    })
    client.on('close', leave)
  })
  return listenInFrontOf(scope, url, { server, sockets })
}
