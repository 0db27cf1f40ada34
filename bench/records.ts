import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { dashboard } from './dashboard.ts'
import { makeRecords, type Records } from './data.ts'
import { exported } from './export.ts'
import { type Figure, scope } from './figure.ts'
import { list } from './list.ts'
import { listHttp } from './list-http.ts'
import { lock } from './lock.ts'

const few = 10_000

/** Benchmarks with `rows` payments, in the folder `keep`, which is reused, or else in a temporary one. */
export async function records(rows: number, keep: string | undefined): Promise<Figure[]> {
  const here = scope()
  try {
    const many = await makeRecords(here, rows, keep)
    const small = await makeRecords(here, few)
    await warmCache(many)
    return [
      ...(await list(many)),
      ...(await listHttp(many)),
      ...(await lock(many, small)),
      ...(await dashboard(many, small)),
      ...(await exported(many)),
    ]
  } finally {
    await here.end()
  }
}

/**
 * Reads all tables and indexes once into the page cache, as far as memory allows, so that the figures do not depend on the
 * disk.
 */
async function warmCache({ folder }: Records): Promise<void> {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    await finished(createReadStream(join(file.parentPath, file.name)).resume())
  }
}
