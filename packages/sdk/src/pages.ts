const pageSize = 100

/** Iterates over the pages of a list, newest first. New rows shift the pages, and are left out; no row is returned twice. */
export async function* eachOf<T extends { id: string }>(
  read: (page: { current: number; pageSize: number }) => Promise<{ list: T[] }>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>()
  for (let current = 1; ; current++) {
    const { list } = await read({ current, pageSize })
    for (const row of list) {
      if (seen.has(row.id)) continue
      seen.add(row.id)
      yield row
    }
    if (list.length < pageSize) return
  }
}

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
