import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { filterOf, type RecordFilter, type RecordSearch, readRecordSearch } from './search.ts'

/** What the address says, and how to change it; replaced, Back does not come to it again. All but `search` stay the same objects while what they say does. */
export function useRecordSearch() {
  const search = readRecordSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = useCallback(
    (next: (now: RecordSearch) => RecordSearch, replace = false) =>
      void navigate({
        to: '.',
        search: ((now: Record<string, unknown>) => next(readRecordSearch(now))) as never,
        resetScroll: false,
        replace,
      }),
    [navigate],
  )
  const text = JSON.stringify(filterOf(search))
  const filter = useMemo(() => JSON.parse(text) as RecordFilter, [text])
  return { search, filter, change }
}
