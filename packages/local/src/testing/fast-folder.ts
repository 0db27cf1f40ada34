import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Folder that is stored in memory, on Linux. */
export const memory = '/dev/shm'

/** Free space (bytes) that the databases of a whole run need, with a margin. */
const needed = 2 * 1024 ** 3

/**
 * Returns the folder for data of throwaway databases: in memory where that has room, because copying a database is several
 * times faster there, else that for temporary files. In containers, memory often has 64 MB.
 */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= needed ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
