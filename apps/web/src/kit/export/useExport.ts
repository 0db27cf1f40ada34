import { useEffect, useReducer, useRef } from 'react'
import { RequestUnanswered } from '../../api/failure.ts'
import type { RouteKey } from '../../api/index.ts'
import { browserZone, displayTimeZone } from '../../lib/zone.ts'
import { formatExportFileName, initialExportState, parseRowCountHeader, reduceExport } from './export.ts'

/**
 * Exports a list: its state, and functions to start, cancel and dismiss it. `query` holds the filters without a page;
 * `fileName` is the prefix of the file name. Leaving the page cancels the export. `start` may add to the query, such as
 * a format.
 */
export function useExport(route: RouteKey | undefined, query: object, fileName: string) {
  const [state, send] = useReducer(reduceExport, initialExportState)
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
      const { downloadFile } = await import('../../api/download.ts')
      await downloadFile(route, {
        query: { ...query, ...added.current },
        fileName: formatExportFileName(fileName, Date.now() / 1000, displayTimeZone.get() ?? browserZone()),
        signal: ending.signal,
        onHeaders: headers =>
          current() && send({ type: 'rows', rows: parseRowCountHeader(headers.get('X-Total-Rows')) }),
        onProgress: (received, total) => current() && send({ type: 'bytes', received, total }),
      })
      if (current()) send({ type: 'done' })
    } catch (error) {
      if (!current()) return
      send({ type: error instanceof RequestUnanswered && error.reason === 'aborted' ? 'cancel' : 'fail' })
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
