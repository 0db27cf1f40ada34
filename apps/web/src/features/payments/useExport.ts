import { useEffect, useReducer, useRef } from 'react'
import { download } from '../../api/download.ts'
import { Unanswered } from '../../api/index.ts'
import { announcedRows, exportFileName, exportIdle, nextExport } from './export.ts'
import { filterQuery, type RecordFilter } from './search.ts'

/** The export of the whole filtered set: how it stands, and how to start, cancel and dismiss it. Leaving the page cancels it. */
export function useExport(filter: RecordFilter) {
  const [state, send] = useReducer(nextExport, exportIdle)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    running.current?.abort()
    const ending = new AbortController()
    running.current = ending
    const current = () => running.current === ending
    send({ type: 'start' })
    try {
      await download('GET /api/v1/transactions/list/export', {
        query: filterQuery(filter),
        fileName: exportFileName(new Date()),
        signal: ending.signal,
        onHeaders: headers => current() && send({ type: 'rows', rows: announcedRows(headers.get('X-Total-Rows')) }),
        onProgress: (received, total) => current() && send({ type: 'bytes', received, total }),
      })
      if (current()) send({ type: 'done' })
    } catch (error) {
      if (!current()) return
      send({ type: error instanceof Unanswered && error.reason === 'aborted' ? 'cancel' : 'fail' })
    }
  }

  return {
    state,
    start: () => void start(),
    cancel: () => running.current?.abort(),
    dismiss: () => send({ type: 'dismiss' }),
  }
}
