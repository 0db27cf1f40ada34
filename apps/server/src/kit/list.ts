/** The part of a list that a page shows, as SQL takes it. */
export interface Page {
  limit: number
  offset: number
}

/** The page that a list call asks for: `current` counts from 1. */
export const pageOf = ({ current, pageSize }: { current: number; pageSize: number }): Page => ({
  limit: pageSize,
  offset: (current - 1) * pageSize,
})

/** Answers a list call: the rows of the page, as `present` shows each, with the total of the whole filter. */
export async function listAnswer<Row, Shown>(
  rows: readonly Row[] | Promise<readonly Row[]>,
  total: number | Promise<number>,
  present: (row: Row) => Shown,
): Promise<{ list: Shown[]; total: number }> {
  const [page, count] = await Promise.all([rows, total])
  return { list: page.map(row => present(row)), total: count }
}
