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

/**
 * Page sizes with their own prepared statement. The size is a constant in the statement: with the size as a parameter,
 * PostgreSQL rejects the generic plan as too expensive and replans each execution, which takes longer than the query.
 */
const sizes = [1, 10, 20, 50, 100]

/** Returns the page size to prepare for a page of at most `limit` rows. */
export const choosePreparedPageSize = (limit: number): number => sizes.find(size => size >= limit) ?? limit

/** Returns a page of rows that were all read. */
export const slicePage = <Row>(rows: Row[], { limit, offset }: Page): { rows: Row[]; total: number } => ({
  total: rows.length,
  rows: rows.slice(offset, offset + limit),
})

/** Builds the response of a list call from a page with its total. */
export const pageAnswer = async <Row, Shown>(
  page: Promise<{ rows: readonly Row[]; total: number }>,
  present: (row: Row) => Shown,
): Promise<{ list: Shown[]; total: number }> => {
  const { rows, total } = await page
  return { list: rows.map(row => present(row)), total }
}

/** Builds the response of a list call: the rows of the page, each mapped by `present`, and the total of the filter. */
export async function listAnswer<Row, Shown>(
  rows: readonly Row[] | Promise<readonly Row[]>,
  total: number | Promise<number>,
  present: (row: Row) => Shown,
): Promise<{ list: Shown[]; total: number }> {
  const [page, count] = await Promise.all([rows, total])
  return { list: page.map(row => present(row)), total: count }
}
