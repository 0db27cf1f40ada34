import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { errorCode, Problem } from './problem.ts'

/** A held lock; `release` lets the next one in. */
export type Lock = { release: () => Promise<void> }

/**
 * Locks a folder for one purpose, for as long as this process lives.
 *
 * The lock is a unix socket in the abstract namespace, named after the folder's device and inode. The kernel lets one
 * process have it and takes it back when that process ends in any way, so there is no stale lock file to judge.
 * Takes an existing folder and a word for the purpose. Throws a Problem when another process has the lock.
 */
export async function lockFolder(folder: string, purpose: string): Promise<Lock> {
  const { dev, ino } = statSync(folder)
  const name = `\0coffer-${createHash('sha256').update(`${dev}:${ino}:${purpose}`).digest('hex').slice(0, 32)}`
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.end(String(process.pid))
  })
  try {
    await listen(server, name)
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error
    const pid = await holder(name)
    throw new Problem(
      `${folder} is already in use${pid ? ` by process ${pid}` : ''}. Stop that one first, or set COFFER_DATA to another folder.`,
    )
  }
  server.unref()
  return { release: () => new Promise(resolve => server.close(() => resolve())) }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

function holder(path: string): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', data => {
      text += data
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}
