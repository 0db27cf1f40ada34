import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { ErrorState } from '../../ui/feedback/States.tsx'
import { keyOf, type ListPageProps, type ListTableProps, useListParts } from '../list/listParts.tsx'
import type { ListCall, ListRow, Rules } from '../list/search.ts'
import { ColumnRows } from './ColumnRows.tsx'
import { Days, End, More, NoMatch, onceEach, Placeholders } from './Rows.tsx'
import type { Endless } from './useList.ts'

/** The time of a row, under whose day it stands. */
function timeOf(row: object): number | undefined {
  const times = row as Record<string, unknown>
  const time = times.time ?? times.updated_time ?? times.created_time ?? times.seen_time
  return typeof time === 'number' ? time : undefined
}

/** A list of the table's columns: two lines a row, and all columns on a page that opens from it. */
export function ListTable<K extends ListCall, R extends Rules>(props: ListTableProps<K, R>) {
  const { list, caption, columns, rowKey, onOpen, noMatch, empty } = props
  const { rows, error, filter, hasMore, busy, more } = list as Endless<K, R>
  if (error && !rows) return <ErrorState error={error} onRetry={list.retry} />
  if (!rows) return <Placeholders />
  if (rows.length === 0) return filter.active ? (noMatch ?? <NoMatch onClear={filter.clear} />) : empty
  const once = onceEach(rows, keyOf(rowKey))
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
        <Days rows={dated}>
          {ofDay =>
            drawn(
              onceEach(
                ofDay.map(each => each.row),
                keyOf(rowKey),
              ),
              true,
            )
          }
        </Days>
      ) : (
        drawn(once, false)
      )}
      {hasMore ? <More busy={busy} onSeen={more} /> : <End />}
    </section>
  )
}

/** `ListPage` of phones: the shell shows the title, and filters open in a sheet. */
export function ListPage<K extends ListCall, R extends Rules>(props: ListPageProps<K, R>) {
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
