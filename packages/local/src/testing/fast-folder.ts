import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processIdOf } from '../processes.ts'

/** Folder that is stored in memory, on Linux. */
export const memory = '/dev/shm'

/** Free space (bytes) that the databases of a whole run need, with a margin. */
const needed = 2 * 1024 ** 3

/**
 * Returns the folder for data of throwaway databases: in memory where that has room, because copying a database is
 * several times faster there, else that for temporary files. `bytes` is the room it needs. In containers, memory often
 * has 64 MB.
 */
export function fastFolder(bytes = needed): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= bytes ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Keeps temporary files of this process, and of those that it starts, in a folder of its own in memory, by TMPDIR, so
 * that what tests write costs no disk. Does nothing where memory has no room. Removes what killed runs have left.
 * Returns what removes the folder.
 */
export function ownTemporaryFolder(): () => void {
  // A whole run writes about as much beside its databases.
  if (fastFolder(2 * needed) !== memory) return () => {}
  for (const name of readdirSync(memory)) {
    const [, pid] = /^coffer-run-(\d+)$/.exec(name) ?? []
    if (pid && !processIdOf(Number(pid))) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const folder = join(memory, `coffer-run-${process.pid}`)
  mkdirSync(folder)
  // As for /tmp: tests run programs as other users, too.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
