import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { marker } from './run-file.ts'

/** The name of this checkout's shared test cluster: one per user and checkout. */
const key = createHash('sha256')
  .update(`${process.getuid?.()}:${import.meta.url}`)
  .digest('hex')
  .slice(0, 12)

/** Where the cluster's keeper listens (an abstract unix socket, so that it goes with the keeper). */
export const keeperAddress = `\0coffer-test-pg-${key}`

/** Where the shared cluster keeps its files; made anew by each keeper. */
export const clusterFolder = join(tmpdir(), `coffer-test-pg-${key}`)

let shared: Promise<string> | undefined

/**
 * Gives the connection string of a PostgreSQL server for tests, its database `postgres`, with the right to make
 * databases: the one named by COFFER_TEST_PG, or else a cluster shared by all test runs of this checkout, which is
 * started on demand and ends by itself a while after the last process that uses it.
 */
export function testCluster(): Promise<string> {
  const named = process.env.COFFER_TEST_PG
  if (named) return Promise.resolve(named)
  shared ??= sharedCluster()
  return shared
}

async function sharedCluster(): Promise<string> {
  let keeper: ReturnType<typeof startKeeper> | undefined
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    const url = await askKeeper()
    if (url) {
      if (keeper) rmSync(keeper.log)
      return url
    }
    keeper ??= startKeeper()
    if (keeper.failed()) break
  }
  throw new Error(`The shared test cluster did not start:\n${keeper ? readFileSync(keeper.log, 'utf8') : ''}`)
}

/** The connection stays open as long as this process lives: the keeper counts them. */
function askKeeper(): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect(keeperAddress)
    let text = ''
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
    socket.on('data', data => {
      text += data
      if (!text.endsWith('\n')) return
      socket.unref()
      resolve(text.trim())
    })
  })
}

function startKeeper() {
  mkdirSync(clusterFolder, { recursive: true, mode: 0o700 })
  const log = `${clusterFolder}.${process.pid}.log`
  const descriptor = openSync(log, 'w')
  const script = fileURLToPath(new URL('./cluster-keeper.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _context, [marker]: _marker, ...env } = process.env
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['ignore', descriptor, descriptor], env })
  closeSync(descriptor)
  let code: number | null = null
  child.on('exit', each => {
    code = each
  })
  child.unref()
  // Another process may have been faster: then ours leaves with 0, and its keeper answers.
  return { log, failed: () => code !== null && code !== 0 }
}
