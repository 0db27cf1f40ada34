import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Drawer, Modal } from '../../ui/feedback/Modal.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import type { ListPageProps, ListTableProps } from '../list/ListPage.tsx'
import { End, More, Placeholders } from './Rows.tsx'
import type { Endless } from './useEndless.ts'

const ExportStatus = lazy(() => import('../export/ExportStatus.tsx'))

/** A list of the table's columns: two lines a row, and all columns on a page that opens from it. */
export function ListTable<R, F>({ list, caption, columns, rowKey, onOpen, noMatch, empty }: ListTableProps<R, F>) {
  const common = useMessages('common')
  const [opened, setOpened] = useState<string>()
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
  const shown = opened === undefined ? undefined : once.get(opened)
  return (
    <section aria-label={caption} className="flex flex-col gap-4">
      <ul className={cx(cardClass, 'divide-y divide-line overflow-hidden')}>
        {[...once].map(([key, row]) => (
          <li key={key} className="[contain-intrinsic-size:auto_68px] [content-visibility:auto]">
            <ColumnsRow row={row} columns={columns} onOpen={() => (onOpen ? onOpen(row) : setOpened(key))} />
          </li>
        ))}
      </ul>
      {hasMore ? <More busy={busy} onSeen={more} /> : <End />}
      {shown !== undefined && (
        <Details title={caption} row={shown} columns={columns} onClose={() => setOpened(undefined)} />
      )}
    </section>
  )
}

interface RowProps<R> {
  row: R
  columns: readonly Column<R>[]
}

function ColumnsRow<R>({ row, columns, onOpen }: RowProps<R> & { onOpen(): void }) {
  const t = useMessages('phone')
  const [lead] = columns
  const at = (place: Column<R>['phone']) => columns.find(column => column.phone === place)?.cell(row)
  const text = at('text')
  /** A press beside the links and buttons of the row. */
  const press = ({ target }: MouseEvent) => {
    if (!(target as Element).closest('button, a') && !String(getSelection())) onOpen()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button at the end is for keyboards and screen readers
    // biome-ignore lint/a11y/useKeyWithClickEvents: likewise
    <div onClick={press} className="flex min-h-17 items-center gap-2 py-1.5 pr-1 pl-4 active:bg-sunken">
      <span className="min-w-0 grow overflow-hidden text-[15px] [&_*]:max-w-full [&_*]:truncate">
        {lead?.cell(row)}
        {text && <span className="block text-xs text-ink-3 [&_[data-second]]:hidden">{text}</span>}
      </span>
      <span className="flex max-w-[55%] min-w-0 flex-col items-end gap-0.5 text-right text-[15px] [&_[data-second]]:hidden">
        <span className="max-w-full truncate">{at('value')}</span>
        <span className="max-w-full truncate text-xs text-ink-3">{at('note')}</span>
      </span>
      <IconButton icon="chevronRight" label={t.details} className="text-ink-3" onClick={onOpen} />
    </div>
  )
}

function Details<R>({ title, row, columns, onClose }: RowProps<R> & { title: string; onClose(): void }) {
  const actions = columns.find(({ key }) => key === 'actions')
  return (
    <Drawer open title={title} onClose={onClose}>
      <Facts
        rows={columns.flatMap(({ key, title: name, cell }) =>
          key !== 'actions' && typeof name === 'string' ? [[name, cell(row)] as const] : [],
        )}
      />
      {actions && <div className="mt-4 flex justify-end">{actions.cell(row)}</div>}
    </Drawer>
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
