import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { marker } from './run-files.ts'

/** Identifies the shared test cluster, one per user and checkout. */
const key = createHash('sha256')
  .update(`${process.getuid?.()}:${import.meta.url}`)
  .digest('hex')
  .slice(0, 12)

/** Name of the shared cluster's data folder, which each daemon creates anew. */
export const clusterName = `coffer-test-pg-${key}`

/** Address of the cluster's daemon: an abstract Unix socket, which disappears with the daemon. */
export const daemonAddress = `\0${clusterName}`

let shared: Promise<string> | undefined

/**
 * Returns the connection string of a PostgreSQL server for tests, with the right to create databases: the one in
 * COFFER_TEST_PG, else a cluster shared by all test runs of this checkout. The cluster is started on demand and exits
 * a minute after the last process that uses it.
 */
export function testCluster(): Promise<string> {
  const configured = process.env.COFFER_TEST_PG
  if (configured) return Promise.resolve(configured)
  shared ??= sharedCluster()
  return shared
}

async function sharedCluster(): Promise<string> {
  let daemon: ReturnType<typeof startDaemon> | undefined
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    const url = await connectToDaemon()
    if (url) {
      if (daemon) rmSync(daemon.log)
      return url
    }
    daemon ??= startDaemon()
    if (daemon.failed()) break
  }
  throw new Error(`The shared test cluster did not start:\n${daemon ? readFileSync(daemon.log, 'utf8') : ''}`)
}

/**
 * Returns the cluster's URL. The connection stays open as long as this process runs, because the daemon counts them.
 */
function connectToDaemon(): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect(daemonAddress)
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

function startDaemon() {
  const log = join(tmpdir(), `${clusterName}.${process.pid}.log`)
  const descriptor = openSync(log, 'w', 0o600)
  const script = fileURLToPath(new URL('./cluster-daemon.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _context, [marker]: _marker, ...env } = process.env
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['ignore', descriptor, descriptor], env })
  closeSync(descriptor)
  let code: number | null = null
  child.on('exit', each => {
    code = each
  })
  child.unref()
  // If another process has started a daemon meanwhile, this one exits with 0 and the other answers.
  return { log, failed: () => code !== null && code !== 0 }
}
