import { endOfTime } from '@coffer/contract/limits.ts'

/** Where a row stands in a list by time and ID. */
export interface Place {
  created_at: number
  id: string
}

/** Returns the cursor of a row: the call with it reads on after the row. */
export const cursorAt = ({ created_at, id }: Place): string => `${created_at}-${id}`

/** Returns the place that a cursor names. */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [created_at = ''] = cursor.split('-', 1)
  return { created_at: Number(created_at), id: cursor.slice(created_at.length + 1) }
}

/** Returns the place before which a page is read, newest first: that of the cursor, or the end (Unix seconds) of the list. */
export function placeBefore(cursor: string | undefined, end: number = endOfTime): Place {
  const given = placeOf(cursor)
  return given && given.created_at <= end ? given : { created_at: end + 1, id: '' }
}

/** Returns the cursor of the next page; empty after a page that is not full. */
export function cursorAfter(rows: readonly Place[], pageSize: number): string {
  const last = rows.length === pageSize ? rows.at(-1) : undefined
  return last ? cursorAt(last) : ''
}
