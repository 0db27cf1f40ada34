/**
 * Keeps the test cluster of this checkout: listens first (one keeper at a time), starts PostgreSQL, tells each
 * connection its address, and ends a minute after the last connection closed. Started by cluster.ts only.
 */
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { startPostgres } from '../postgres.ts'
import { clusterFolder, keeperAddress } from './cluster.ts'

const idleMs = 60_000

const waiting = new Set<Socket>()
let address: string | undefined
let connections = 0
let idle: NodeJS.Timeout | undefined

const server = createServer(socket => {
  connections += 1
  clearTimeout(idle)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    connections -= 1
    waiting.delete(socket)
    rest()
  })
  if (address) socket.write(`${address}\n`)
  else waiting.add(socket)
})
// Another keeper was faster: leave the work to it.
server.on('error', () => process.exit(0))
server.listen(keeperAddress, async () => {
  rmSync(clusterFolder, { recursive: true, force: true })
  const postgres = await startPostgres({
    dataDir: clusterFolder,
    durable: false,
    settings: { max_connections: '300' },
  })
  address = postgres.url.replace('/coffer?', '/postgres?')
  for (const socket of waiting) socket.write(`${address}\n`)
  stop = async () => {
    server.close()
    await postgres.stop()
    rmSync(clusterFolder, { recursive: true, force: true })
    process.exit(0)
  }
  postgres.ended.then(() => process.exit(1))
  rest()
})

let stop = async () => {
  process.exit(0)
}

function rest() {
  if (connections === 0) idle = setTimeout(() => stop(), idleMs)
}

process.on('SIGTERM', () => stop())
process.on('SIGINT', () => stop())
