/** Limit and offset of a page, as SQL takes them. */
export interface Page {
  limit: number
  offset: number
}

/** Converts the page parameters of a list call. `current` counts from 1. */
export const pageOf = ({ current, pageSize }: { current: number; pageSize: number }): Page => ({
  limit: pageSize,
  offset: (current - 1) * pageSize,
})

/** Builds the response of a list call: the rows of the page, each mapped by `present`, and the total of the filter. */
export async function listAnswer<Row, Shown>(
  rows: readonly Row[] | Promise<readonly Row[]>,
  total: number | Promise<number>,
  present: (row: Row) => Shown,
): Promise<{ list: Shown[]; total: number }> {
  const [page, count] = await Promise.all([rows, total])
  return { list: page.map(row => present(row)), total: count }
}
