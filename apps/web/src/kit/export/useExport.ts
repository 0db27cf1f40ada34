import { useEffect, useReducer, useRef } from 'react'
import { Unanswered } from '../../api/failure.ts'
import type { RouteKey } from '../../api/index.ts'
import { browserZone, shownZone } from '../../lib/zone.ts'
import { announcedRows, exportFileName, exportIdle, nextExport } from './export.ts'

/**
 * Exports a list: its state, and functions to start, cancel and dismiss it. `query` holds the filters without a page;
 * `fileName` is the prefix of the file name. Leaving the page cancels the export. `start` may add to the query, such as
 * a format.
 */
export function useExport(route: RouteKey | undefined, query: object, fileName: string) {
  const [state, send] = useReducer(nextExport, exportIdle)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const added = useRef<object>({})
  async function start() {
    if (!route) return
    running.current?.abort()
    const ending = new AbortController()
    running.current = ending
    const current = () => running.current === ending
    send({ type: 'start' })
    try {
      const { download } = await import('../../api/download.ts')
      await download(route, {
        query: { ...query, ...added.current },
        fileName: exportFileName(fileName, Date.now() / 1000, shownZone.get() ?? browserZone()),
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
    start(more: Record<string, string | undefined> = {}) {
      added.current = more
      void start()
    },
    again: () => void start(),
    cancel: () => running.current?.abort(),
    dismiss: () => send({ type: 'dismiss' }),
  }
}
