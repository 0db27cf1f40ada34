const pageSize = 100

/** Iterates over the pages of a list that is read on by cursor. */
export async function* eachAfter<T>(
  read: (page: { cursor: string | undefined; pageSize: number }) => Promise<{ list: T[]; next_cursor: string }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined
  do {
    const { list, next_cursor } = await read({ cursor, pageSize })
    yield* list
    cursor = next_cursor
  } while (cursor)
}
