import { dashboard } from './dashboard.ts'
import { makeRecords, warmBuffers } from './data.ts'
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
    await warmBuffers(many)
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
