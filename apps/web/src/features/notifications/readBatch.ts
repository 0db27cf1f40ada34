import { limits } from '@coffer/contract/kit/limits.ts'
import { type Cell, cell } from '../../lib/cell.ts'

const everything = -1

/** Notifications marked as read locally, before the server confirms. */
export interface LocalReadMarks {
  ids: ReadonlySet<string>
  all: boolean
}

export interface ReadMarkBatch {
  state: Cell<LocalReadMarks>
  /** Marks one as read. Ids are sent in a batch 2 s after the first. */
  mark(id: string): void
  /** Marks all as read and sends immediately. */
  markAll(): void
}

const nothing: LocalReadMarks = { ids: new Set(), all: false }

/**
 * Batches read marks. `send` takes ids (or -1 for all) and settles once the lists show the new state. On failure its
 * notifications become unread again.
 */
export function createReadMarkBatch(
  send: (ids: (string | typeof everything)[]) => Promise<unknown>,
  state: Cell<LocalReadMarks> = cell(nothing),
): ReadMarkBatch {
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  async function flush() {
    const ids = waiting
    waiting = []
    timer = undefined
    await settle(ids, () => without(ids))
  }

  /** Sends and drops the local marks: on success the refetched lists carry the state, on failure it reverts. */
  async function settle(ids: (string | typeof everything)[], after: () => LocalReadMarks) {
    try {
      await send(ids)
    } catch {
      // `send` has shown the error.
    }
    state.set(after())
  }

  const without = (ids: string[]): LocalReadMarks => {
    const left = new Set(state.get().ids)
    for (const id of ids) left.delete(id)
    return { ...state.get(), ids: left }
  }

  return {
    state,
    mark(id) {
      if (state.get().ids.has(id)) return
      state.set({ ...state.get(), ids: new Set(state.get().ids).add(id) })
      waiting.push(id)
      timer ??= setTimeout(() => void flush(), limits.readBatchDelayMs)
    },
    markAll() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
      state.set({ ids: new Set(), all: true })
      void settle([everything], () => nothing)
    },
  }
}
