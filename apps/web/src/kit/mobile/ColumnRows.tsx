import { type MouseEvent, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import type { Column } from '../../ui/data/TableRow.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'

interface Props<R> {
  caption: string
  rows: ReadonlyMap<string, R>
  columns: readonly Column<R>[]
  look?: string
  /** Under the head of their day, so that a time is shown as its clock. */
  dated?: boolean
  isSum?: ((row: R) => boolean) | undefined
  /** Without it a row opens a page with all its columns. */
  onOpen?(row: R): void
}

/** Rows of two lines with a table's columns. */
export function ColumnRows<R>({ caption, rows, columns, look, dated, isSum, onOpen }: Props<R>) {
  const [opened, setOpened] = useState<string>()
  const shown = opened === undefined ? undefined : rows.get(opened)
  return (
    <>
      <ul
        className={cx(
          look,
          'divide-y divide-line overflow-hidden',
          dated && '[&_[data-clock]>:first-child]:hidden [&_[data-clock]>[data-second]]:block!',
        )}
      >
        {[...rows].map(([key, row]) => (
          <li key={key} className={cx('[contain:paint]', isSum?.(row) && 'font-semibold')}>
            <ColumnsRow row={row} columns={columns} onOpen={() => (onOpen ? onOpen(row) : setOpened(key))} />
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <Details title={caption} row={shown} columns={columns} onClose={() => setOpened(undefined)} />
      )}
    </>
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
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-2 text-[15px]">
        <span className="min-w-20 grow basis-0 overflow-hidden [&_*]:max-w-full [&_*]:truncate">
          {lead?.cell(row)}
          {text && <span className="block text-xs text-ink-3 [&_[data-second]]:hidden">{text}</span>}
        </span>
        <span className="ml-auto flex max-w-full flex-col items-end gap-0.5 text-right wrap-anywhere **:whitespace-normal [&_[data-second]]:hidden">
          <span>{at('value')}</span>
          <span className="text-xs text-ink-3">{at('note')}</span>
        </span>
      </span>
      <IconButton icon="chevronRight" label={t.details} className="text-ink-3" onClick={onOpen} />
    </div>
  )
}

const isActions = ({ key, isActions: marked }: { key?: string; isActions?: boolean }) => marked || key === 'actions'

function Details<R>({ title, row, columns, onClose }: RowProps<R> & { title: string; onClose(): void }) {
  const actions = columns.find(isActions)
  return (
    <Drawer open title={title} onClose={onClose}>
      <div className="[&_dd_div]:justify-end">
        <Facts
          rows={columns.flatMap(column =>
            !isActions(column) && typeof column.title === 'string' ? [[column.title, column.cell(row)] as const] : [],
          )}
        />
      </div>
      {actions && <div className="mt-4 flex justify-end">{actions.cell(row)}</div>}
    </Drawer>
  )
}
