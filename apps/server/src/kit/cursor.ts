import { maxUnixSeconds } from '@coffer/contract/kit/limits.ts'
import type { Queryable } from './db.ts'
import { type Page, pageOf } from './list.ts'

/** Where a row stands in a list by time and ID. */
export interface ListPosition {
  created_at: number
  id: string
}

/** Returns the cursor of a row: the call with it reads on after the row. */
export const encodeCursor = ({ created_at, id }: ListPosition): string => `${created_at}-${id}`

/** Returns the place that a cursor names. */
export function decodeCursor(cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined
  const [created_at = ''] = cursor.split('-', 1)
  return { created_at: Number(created_at), id: cursor.slice(created_at.length + 1) }
}

/**
 * Returns the place before which a page is read, newest first: that of the cursor, or the end (Unix seconds) of the
 * list.
 */
export function resolveCursorPosition(cursor: string | undefined, end: number = maxUnixSeconds): ListPosition {
  const given = decodeCursor(cursor)
  return given && given.created_at <= end ? given : { created_at: end + 1, id: '' }
}

/** Returns the cursor of the next page; empty after a page that is not full. */
export function encodeNextCursor(rows: readonly ListPosition[], pageSize: number): string {
  const last = rows.length === pageSize ? rows.at(-1) : undefined
  return last ? encodeCursor(last) : ''
}

/** A list with an export: `page` reads a page with the total, `next` the rows after a place. */
interface CursorList<Filter, Row> {
  page: (c: Queryable, merchantId: string, filter: Filter, page: Page) => Promise<{ rows: Row[]; total: number }>
  next: (
    c: Queryable,
    scope: { merchantId: string; filter: Filter },
    after: object | undefined,
    limit: number,
  ) => Promise<Row[]>
}

/**
 * Answers a list of the public API with its total: the page `current`, or from a cursor on, which new rows do not
 * shift.
 */
export async function cursorAnswer<Filter, Row extends { id: string }, Shown>(
  c: Queryable,
  { page, next }: CursorList<Filter, Row>,
  { merchantId, filter }: { merchantId: string; filter: Filter },
  { cursor, ...query }: { cursor?: string | undefined; current: number; pageSize: number },
  present: (row: Row) => Shown,
  timeOf: (row: Row) => number,
): Promise<{ list: Shown[]; total: number; next_cursor: string }> {
  const place = decodeCursor(cursor)
  const found = await page(c, merchantId, filter, place ? { limit: 1, offset: 0 } : pageOf(query))
  const after = place && { ...place, seen_at: place.created_at }
  const rows = after ? await next(c, { merchantId, filter }, after, query.pageSize) : found.rows
  const places = rows.map(row => ({ created_at: timeOf(row), id: row.id }))
  return { list: rows.map(present), total: found.total, next_cursor: encodeNextCursor(places, query.pageSize) }
}
