/**
 * Runs the test cluster of this checkout. Listens first, so that there is one daemon at a time, starts PostgreSQL,
 * sends its URL to each connection, and exits a minute after the last connection has closed. Started by cluster.ts
 * only.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../postgres.ts'
import { clusterName, daemonAddress } from './cluster.ts'
import { fastFolder, memory } from './fast-folder.ts'

const idleMs = 60_000

const waiting = new Set<Socket>()
let url: string | undefined
let connections = 0
let idle: NodeJS.Timeout | undefined

const server = createServer(socket => {
  connections += 1
  clearTimeout(idle)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    connections -= 1
    waiting.delete(socket)
    exitWhenIdle()
  })
  if (url) socket.write(`${url}\n`)
  else waiting.add(socket)
})
// Another daemon is already listening.
server.on('error', () => process.exit(0))
server.listen(daemonAddress, async () => {
  // A daemon that was killed has left its own.
  for (const parent of [memory, tmpdir()]) rmSync(join(parent, clusterName), { recursive: true, force: true })
  const dataDir = join(fastFolder(), clusterName)
  mkdirSync(dataDir, { mode: 0o700 })
  const postgres = await startPostgres({
    dataDir,
    durable: false,
    settings: { max_connections: '300' },
  })
  url = postgres.url.replace('/coffer?', '/postgres?')
  for (const socket of waiting) socket.write(`${url}\n`)
  stop = async () => {
    server.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
    process.exit(0)
  }
  postgres.ended.then(() => process.exit(1))
  exitWhenIdle()
})

let stop = async () => {
  process.exit(0)
}

function exitWhenIdle() {
  if (connections === 0) idle = setTimeout(() => stop(), idleMs)
}

process.on('SIGTERM', () => stop())
process.on('SIGINT', () => stop())
