import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { first, type Queryable } from '../../kit/db.ts'

/** PostgreSQL says where its folder is only to roles that it trusts with it. */
const readFolder = first(
  'database-folder',
  `select coalesce(setting, '') as folder from pg_settings where name = 'data_directory'`,
)

/** The disk of a database, in bytes. */
export interface DatabaseDisk {
  folder: string
  free: number
  size: number
}

/**
 * Reads how much is free on the disk of a database, which PostgreSQL itself does not tell. Known only on its own
 * machine: a socket must lead to it, and its folder be readable (`grant pg_read_all_settings to coffer_app`) and there,
 * of the socket's user. Undefined otherwise.
 */
export async function readDatabaseDisk(c: Queryable, connectionString: string): Promise<DatabaseDisk | undefined> {
  const { host, port } = new pg.Client({ connectionString })
  if (!host.startsWith('/')) return undefined
  const folder = (await readFolder(c))?.folder
  // A folder that each process sees as another one.
  if (!folder || folder.startsWith('/proc/')) return undefined
  try {
    const [socket, data] = await Promise.all([stat(join(host, `.s.PGSQL.${port}`)), stat(folder)])
    if (socket.uid !== data.uid || !data.isDirectory()) return undefined
    const { bavail, blocks, bsize } = await statfs(folder)
    return { folder, free: bavail * bsize, size: blocks * bsize }
  } catch {
    return undefined
  }
}

/** Bytes below which a disk is nearly full, as is one of which less than a tenth is free. */
const freeMin = 2 * 2 ** 30

/** Says that the disk is nearly full, and what to do; undefined if it is not. */
export function describeFullDisk({ folder, free, size }: DatabaseDisk): string | undefined {
  if (free >= freeMin && free >= size / 10) return undefined
  const megabytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)} MB`
  return `only ${megabytes(free)} of ${megabytes(size)} are free on the disk of ${folder}: a full one ends all writes; enlarge it, or see docs/runbook/database.md`
}
