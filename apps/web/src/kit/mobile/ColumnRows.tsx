import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../../ui/classes.ts'
import { DetailList } from '../../ui/data/DetailList.tsx'
import type { Column } from '../../ui/data/TableRow.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { rowClass, TimeOfDay } from './Rows.tsx'

interface Props<R> {
  caption: string
  rows: ReadonlyMap<string, R>
  columns: readonly Column<R>[]
  look?: string
  /** The time (unix seconds) of a row that stands under the head of its day. */
  timeOf?(row: R): number | undefined
  isSum?: ((row: R) => boolean) | undefined
  /** Without it a row opens a page with all its columns. */
  onOpen?(row: R): void
}

/** Rows of two lines with a table's columns, which look like `Rows`. */
export function ColumnRows<R>({ caption, rows, columns, look, timeOf, isSum, onOpen }: Props<R>) {
  const [opened, setOpened] = useState<string>()
  const shown = opened === undefined ? undefined : rows.get(opened)
  return (
    <>
      <ul className={cx(look, 'divide-y divide-line overflow-hidden')}>
        {[...rows].map(([key, row]) => (
          <li key={key} className={cx('[contain:paint]', isSum?.(row) && 'font-semibold')}>
            <ColumnsRow
              {...{ row, columns }}
              time={timeOf?.(row)}
              onOpen={onOpen && (() => onOpen(row))}
              onDetails={() => setOpened(key)}
            />
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

/** States are plain text, as in other rows. */
const quietClass =
  '[&_[data-kind]]:h-auto [&_[data-kind]]:bg-transparent [&_[data-kind]]:px-0 [&_[data-kind]>:first-child]:hidden'

/** Links and buttons can be pressed, 12 px around them too. That of copying is large, and its mark has an `::after`. */
const pressClass =
  '[&_:is(a,button)]:pointer-events-auto [&_:is(a,button)]:relative [&_:is(a,button:not(.copy-mark))]:after:absolute [&_:is(a,button:not(.copy-mark))]:after:inset-x-0 [&_:is(a,button:not(.copy-mark))]:after:-inset-y-3'

interface ColumnsRowProps<R> extends RowProps<R> {
  time: number | undefined
  onOpen: (() => void) | undefined
  onDetails(): void
}

function ColumnsRow<R>({ row, columns, time, onOpen, onDetails }: ColumnsRowProps<R>) {
  const t = useMessages('phone')
  const lead = columns.find(column => column.phone === 'lead') ?? columns[0]
  const draw = (column: Column<R> | undefined) => (column?.phoneCell ?? column?.cell)?.(row)
  const at = (place: Column<R>['phone']) => draw(columns.find(column => column.phone === place))
  const texts = columns.flatMap(column => (column.phone === 'text' ? (draw(column) ?? []) : []))
  const clock = time !== undefined && <TimeOfDay seconds={time} />
  return (
    <div className={cx(rowClass, quietClass, 'relative')}>
      <button
        type="button"
        aria-label={t.details}
        onClick={onOpen ?? onDetails}
        className="absolute inset-0 focus-visible:-outline-offset-2"
      />
      {/* Presses on text go through to the button. */}
      <span className="pointer-events-none relative shrink-0 empty:hidden max-[259px]:hidden">
        {columns.find(column => column.picture)?.picture?.(row)}
      </span>
      <span className="pointer-events-none relative flex min-w-0 grow flex-wrap items-center gap-x-3">
        <span
          className={cx(
            'min-w-20 grow basis-0 text-[15px] leading-6 font-medium wrap-anywhere **:whitespace-normal [&_button]:text-left [&_div]:h-auto',
            onOpen ? '[&_:is(a,button)]:text-ink' : pressClass,
            texts.length > 0 && '[&_[data-second]]:hidden',
          )}
        >
          {lead?.amount || lead?.phone === 'lead' ? draw(lead) : lead?.cell(row)}
          {texts.length > 0 && (
            <span className="block overflow-hidden text-xs leading-5 font-normal text-ink-3 **:inline [&_[data-second]]:hidden [&_img]:hidden">
              {/* The point before the first part of a line stands outside. */}
              <span className="-ml-3 block!">
                {[...(clock ? [clock] : []), ...texts].map((text, index) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity
                    key={index}
                    className="relative inline-block! pl-3 before:absolute before:left-1 before:content-['·']"
                  >
                    {text}
                  </span>
                ))}
              </span>
            </span>
          )}
        </span>
        <span className="ml-auto flex max-w-full flex-col items-end text-right text-[15px] leading-6 wrap-anywhere **:whitespace-normal [&_:is(a,button,label,input)]:pointer-events-auto [&_[data-second]]:hidden">
          <span>{at('value')}</span>
          <span className="text-xs leading-5 text-ink-3">{at('note') ?? (texts.length === 0 && clock)}</span>
        </span>
      </span>
    </div>
  )
}

const isActions = ({ key, isActions: marked }: { key?: string; isActions?: boolean }) => marked || key === 'actions'

function Details<R>({ title, row, columns, onClose }: RowProps<R> & { title: string; onClose(): void }) {
  const actions = columns.find(isActions)
  return (
    <Drawer open title={title} onClose={onClose}>
      <div className="[&_dd_div]:justify-end">
        <DetailList
          rows={columns.flatMap(column =>
            !isActions(column) && typeof column.title === 'string' ? [[column.title, column.cell(row)] as const] : [],
          )}
        />
      </div>
      {actions && <div className="mt-4 flex justify-end">{actions.cell(row)}</div>}
    </Drawer>
  )
}
