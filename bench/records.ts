import { dashboard } from './dashboard.ts'
import { makeRecords } from './data.ts'
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
