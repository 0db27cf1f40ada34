import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import type { ListPageProps, ListTableProps } from '../list/ListPage.tsx'
import { ColumnRows } from './ColumnRows.tsx'
import { End, More, Placeholders } from './Rows.tsx'
import type { Endless } from './useEndless.ts'

const ExportStatus = lazy(() => import('../export/ExportStatus.tsx'))

/** A list of the table's columns: two lines a row, and all columns on a page that opens from it. */
export function ListTable<R, F>({ list, caption, columns, rowKey, onOpen, noMatch, empty }: ListTableProps<R, F>) {
  const common = useMessages('common')
  const { rows, error, filter, hasMore, busy, more } = list as typeof list & Endless<R>
  if (error && !rows) return <ErrorState error={error} onRetry={list.retry} />
  if (!rows) return <Placeholders />
  if (rows.length === 0)
    return filter.active
      ? (noMatch ?? (
          <Empty
            icon="filter"
            title={common.nothingFound}
            text={common.changeFilters}
            action={<Button onClick={filter.clear}>{common.clearFilters}</Button>}
          />
        ))
      : empty
  // A row that came meanwhile moves the later ones, so that a page can repeat the last of the one before.
  const once = new Map(rows.map(each => [rowKey(each), each]))
  return (
    <section aria-label={caption} className="flex flex-col gap-4">
      <ColumnRows look={cardClass} caption={caption} rows={once} columns={columns} {...(onOpen && { onOpen })} />
      {hasMore ? <More busy={busy} onSeen={more} /> : <End />}
    </section>
  )
}

/** `ListPage` of phones: the shell shows the title, and filters open in a sheet. */
export function ListPage<R, F>(props: ListPageProps<R, F>) {
  const { title, actions, file, exportCounted, filters, notice, above, drawer, ...table } = props
  const common = useMessages('common')
  const t = useMessages('phone')
  const [filtering, setFiltering] = useState(false)
  const { list, rowKey } = table
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      {above}
      <div className="mb-3 flex flex-wrap gap-2 empty:hidden">
        {filters && (
          <Button
            icon="filter"
            className={cx(list.filter.active && 'border-accent text-accent-text')}
            onClick={() => setFiltering(true)}
          >
            {t.filters}
          </Button>
        )}
        {file && (
          <Button
            icon="download"
            busy={file.state.step === 'running'}
            disabled={list.total === 0}
            onClick={() => file.start()}
          >
            {common.export}
          </Button>
        )}
        {actions}
      </div>
      {file && file.state.step !== 'idle' && (
        <Suspense fallback={null}>
          <ExportStatus {...file} counted={exportCounted ?? common.inAll} />
        </Suspense>
      )}
      {notice}
      <ListTable {...(drawer && { onOpen: (row: R) => list.open(rowKey(row)) })} {...table} />
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
      {list.opened !== undefined && <Suspense fallback={null}>{drawer?.(list.opened)}</Suspense>}
    </>
  )
}
