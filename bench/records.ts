import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { dashboard } from './dashboard.ts'
import { makeRecords, type Records } from './data.ts'
import { exported } from './export.ts'
import { type Figure, scope } from './figure.ts'
import { list } from './list.ts'
import { listHttp } from './list-http.ts'

const few = 10_000

/** Everything about many payments: `rows` of them, in the folder `keep`, which is used again, or in one that is removed. */
export async function records(rows: number, keep: string | undefined): Promise<Figure[]> {
  const here = scope()
  try {
    const many = await makeRecords(here, rows, keep)
    const small = await makeRecords(here, few)
    await intoMemory(many)
    return [
      ...(await list(many)),
      ...(await listHttp(many)),
      ...(await dashboard(many, small)),
      ...(await exported(many)),
    ]
  } finally {
    await here.end()
  }
}

/**
 * Reads all tables and indexes once, so that the machine has what of them it has room for: a page takes what its blocks
 * take from the disk otherwise, which says something about the disk.
 */
async function intoMemory({ folder }: Records): Promise<void> {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    await finished(createReadStream(join(file.parentPath, file.name)).resume())
  }
}
