import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { ErrorState } from '../../ui/feedback/States.tsx'
import { createRowKey, type ListPageProps, type ListTableProps, useListParts } from '../list/listParts.tsx'
import type { ListCall, ListRow, SearchRules } from '../list/search.ts'
import { ColumnRows } from './ColumnRows.tsx'
import { EndOfList, indexUniqueRows, LoadMore, NoMatch, RowPlaceholders, RowsByDay } from './Rows.tsx'
import type { EndlessList } from './useList.ts'

/** The time of a row, under whose day it stands. */
function timeOf(row: object): number | undefined {
  const times = row as Record<string, unknown>
  const time = times.time ?? times.updated_time ?? times.created_time ?? times.seen_time
  return typeof time === 'number' ? time : undefined
}

/** A list of the table's columns: two lines a row, and all columns on a page that opens from it. */
export function ListTable<K extends ListCall, R extends SearchRules>(props: ListTableProps<K, R>) {
  const { list, caption, columns, rowKey, onOpen, noMatch, empty } = props
  const { rows, error, filter, hasMore, busy, more } = list as EndlessList<K, R>
  if (error && !rows) return <ErrorState error={error} onRetry={list.retry} />
  if (!rows) return <RowPlaceholders />
  if (rows.length === 0) return filter.active ? (noMatch ?? <NoMatch onClear={filter.clear} />) : empty
  const once = indexUniqueRows(rows, createRowKey(rowKey))
  const drawn = (some: ReadonlyMap<string, ListRow<K>>, dated: boolean) => (
    <ColumnRows
      look={cardClass}
      {...{ caption, columns }}
      rows={some}
      {...(dated && { timeOf })}
      {...(onOpen && { onOpen })}
    />
  )
  const dated = [...once.values()].flatMap(row => {
    const created_time = timeOf(row)
    return created_time === undefined ? [] : { created_time, row }
  })
  return (
    <section aria-label={caption} className="flex flex-col gap-4">
      {dated.length === once.size ? (
        <RowsByDay rows={dated}>
          {ofDay =>
            drawn(
              indexUniqueRows(
                ofDay.map(each => each.row),
                createRowKey(rowKey),
              ),
              true,
            )
          }
        </RowsByDay>
      ) : (
        drawn(once, false)
      )}
      {hasMore ? <LoadMore busy={busy} onSeen={more} /> : <EndOfList />}
    </section>
  )
}

/** `ListPage` of phones: the shell shows the title, and filters open in a sheet. */
export function ListPage<K extends ListCall, R extends SearchRules>(props: ListPageProps<K, R>) {
  const { title, list, notice, above } = props
  const { table, save, actions, progress, filters, details } = useListParts(props)
  const t = useMessages('phone')
  const [filtering, setFiltering] = useState(false)
  // Nothing to filter, and nothing to export.
  const isBare = list.total === 0 && !list.filter.active
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      {above}
      <div className="mb-3 flex flex-wrap gap-2 *:px-3 *:not-only:grow empty:hidden">
        {filters && !isBare && (
          <Button
            icon="filter"
            className={cx(list.filter.active && 'border-accent! text-accent-text!')}
            onClick={() => setFiltering(true)}
          >
            {t.filters}
          </Button>
        )}
        {!isBare && save}
        {actions}
      </div>
      {progress}
      {notice}
      <ListTable {...table} />
      <Modal
        open={filtering}
        title={t.filters}
        onClose={() => setFiltering(false)}
        actions={
          <Button size="large" look="primary" onClick={() => setFiltering(false)}>
            {t.showResults}
          </Button>
        }
      >
        <div className="-mx-5 [&_search>*]:w-full">{filters}</div>
      </Modal>
      {details}
    </>
  )
}
