import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { errorCode, OperatorProblem } from './problem.ts'

/** A held lock. */
export type FolderLock = { release: () => Promise<void> }

/**
 * Locks an existing folder for one purpose, until released or until this process exits.
 *
 * The lock is a Unix socket in the abstract namespace, named after the folder's device and inode. The kernel releases
 * it when the process ends in any way, so there are no stale lock files.
 * @throws Problem when another process holds the lock
 */
export async function lockFolder(folder: string, purpose: string): Promise<FolderLock> {
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
    const pid = await lockOwner(name)
    throw new OperatorProblem(
      `${folder} is already in use${pid ? ` by process ${pid}` : ''}. Stop that process first, or set COFFER_DATA to another folder.`,
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

function lockOwner(path: string): Promise<string> {
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
