import {
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx, staleClass } from '../classes.ts'
import { Button } from '../controls/Button.tsx'
import { Pagination, type PaginationProps } from '../controls/Pagination.tsx'
import { Tip } from '../controls/Tooltip.tsx'
import { Empty, ErrorState, Skeleton } from '../feedback/States.tsx'
import { computeAmountColumnStyle } from './computeAmountColumnStyle.ts'
import { selectVisibleColumns } from './selectVisibleColumns.ts'
import {
  type Column,
  cellPaddingClass,
  rowHeightClasses,
  stickyEdgeClasses,
  TableRow,
  wideOnlyClass,
} from './TableRow.tsx'
import { useRowKeyboardNavigation } from './useRowKeyboardNavigation.ts'

export type { Column }

export interface TableProps<R> {
  /** For screen readers; usually the page's title. */
  caption: string
  columns: readonly Column<R>[]
  /** Undefined during the first load. */
  rows: readonly R[] | undefined
  rowKey(row: R): string
  /** Reuses row elements for another page, which is faster. Only for rows without state of their own. */
  recycle?: boolean
  error?: Error | null
  onRetry?(): void
  /** The rows are of the previous page, shown faded while the next one loads. */
  stale?: boolean
  skeletonRows?: number
  /** Lines per cell, which set the height of rows and their placeholders. */
  lines?: 1 | 2
  empty?: ReactNode
  paging?: PaginationProps
  /** Marks a row that sums up others. */
  isSum?(row: R): boolean
  /** Opens the details of a row. The first cell must hold a button for keyboard users. */
  onOpen?(row: R): void
}

/** A native table that scrolls sideways, with loading, empty and error states. */
export function Table<R>(props: TableProps<R>) {
  const { caption, rows, rowKey, recycle, error, onRetry, stale, empty, paging, isSum, onOpen } = props
  const { skeletonRows = 10, lines = 1 } = props
  const t = useMessages('common')
  const { rowKeys } = useMessages('desktop')
  const whole = useWhole()
  const columns = useMemo(() => selectVisibleColumns(props.columns, rows), [props.columns, rows])
  const { body, ...keys } = useRowKeyboardNavigation(rows, columns)
  const hint = useId()
  const rooms = useMemo(
    () => columns.map(({ amount }) => amount && rows && computeAmountColumnStyle(rows.map(amount))),
    [columns, rows],
  )
  if (error && !rows) return <ErrorState error={error} {...(onRetry && { onRetry })} />
  const open = (event: MouseEvent<HTMLTableSectionElement>) => {
    const row = rows?.[rowIndex(event.target as Element)]
    if (row !== undefined) onOpen?.(row)
  }
  return (
    <div className="min-w-0">
      <ScrollBox label={caption} hint={hint} isLast={!paging}>
        <table aria-busy={rows === undefined || stale} className="w-full border-separate border-spacing-0 text-sm">
          <caption className="sr-only">{caption}</caption>
          <Head columns={columns} />
          <tbody
            className={cx(stale && staleClass, !paging && '[&>tr:last-child>td]:border-b-0')}
            {...(onOpen && { onClick: open })}
            ref={body}
            onKeyDown={keys.onKeyDown}
            onFocus={event => {
              keys.onFocus(event)
              whole.handlers.onFocus(event)
            }}
            onBlur={whole.handlers.onBlur}
          >
            {rows === undefined ? (
              <Placeholders count={skeletonRows} columns={columns} lines={lines} />
            ) : (
              rows.map((row, index) => (
                <TableRow
                  key={recycle ? index : rowKey(row)}
                  row={row}
                  columns={columns}
                  rooms={rooms}
                  lines={lines}
                  sum={isSum?.(row) ?? false}
                  opens={onOpen !== undefined}
                />
              ))
            )}
          </tbody>
        </table>
      </ScrollBox>
      <span id={hint} className="sr-only">
        {rowKeys}
      </span>
      {whole.tip}
      {rows?.length === 0 && (paging?.total ? <PastTheEnd {...paging} total={paging.total} /> : (empty ?? <Empty />))}
      {/* Not before the rows: it would move up when they are few. */}
      {paging?.total ? <Pagination {...paging} /> : null}
      <span aria-live="polite" className="sr-only">
        {rows === undefined ? t.loading : ''}
      </span>
    </div>
  )
}

interface ScrollBoxProps {
  label: string
  /** The id of the hint for screen readers. */
  hint: string
  /** Nothing stands below it. */
  isLast: boolean
  children: ReactNode
}

/** A box that scrolls sideways. */
function ScrollBox({ label, hint, isLast, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  useOverflow(box)
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a landmark, because the card around it often has the same name
    <div
      ref={box}
      role="group"
      aria-label={label}
      aria-describedby={hint}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
      tabIndex={0}
      className={cx('@container relative overflow-x-auto focus-visible:-outline-offset-2', isLast && 'rounded-b-lg')}
    >
      {children}
    </div>
  )
}

const Head = <R,>({ columns }: { columns: readonly Column<R>[] }) => (
  <thead>
    <tr className="bg-surface">
      {columns.map((column, index) => (
        <th
          key={column.key ?? index}
          scope="col"
          className={cx(
            'h-10 border-y border-line text-[13px] font-medium whitespace-nowrap text-ink-3',
            cellPaddingClass(columns, index),
            column.align === 'end' ? 'text-right' : 'text-left',
            column.sticky && stickyEdgeClasses[column.sticky],
            column.isWide && wideOnlyClass,
          )}
        >
          {column.title}
        </th>
      ))}
    </tr>
  </thead>
)

interface PlaceholdersProps<R> {
  count: number
  columns: readonly Column<R>[]
  lines: 1 | 2
}

/** Rows that stand for those which are loading. */
const Placeholders = <R,>({ count, columns, lines }: PlaceholdersProps<R>) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <tr key={index}>
      {columns.map((column, cell) => (
        <td
          key={column.key ?? cell}
          className={cx(
            rowHeightClasses[lines],
            'border-b border-line',
            cellPaddingClass(columns, cell),
            column.isWide && wideOnlyClass,
          )}
        >
          <Skeleton className={cx('h-4 w-3/4', column.align === 'end' && 'ml-auto')} />
        </td>
      ))}
    </tr>
  ))

/** Shown for a page past the last one: the URL was typed, or rows were removed. */
function PastTheEnd({ current, pageSize, total, onChange }: PaginationProps & { total: number }) {
  const t = useMessages('desktop')
  const last = Math.ceil(total / pageSize)
  return (
    <Empty
      title={t.noPage(current)}
      action={<Button onClick={() => onChange({ current: last, pageSize })}>{t.toLastPage}</Button>}
    />
  )
}

/** The whole of a masked value, shown while its copy button has keyboard focus. One for all cells, which are many. */
function useWhole() {
  const id = useId()
  const [shown, setShown] = useState<{ anchor: DOMRect; text: string } | null>(null)
  const hide = useCallback(() => setShown(null), [])
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    if (!target.matches('[data-masked]:focus-visible')) return
    setShown({ anchor: target.getBoundingClientRect(), text: target.title })
  }
  return {
    handlers: { onFocus, onBlur: hide },
    tip: shown && <Tip id={id} anchor={shown.anchor} text={shown.text} onHide={hide} />,
  }
}

/** Marks a box that scrolls sideways; cells are sticky only then. */
function useOverflow(box: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const element = box.current
    const contents = element?.firstElementChild
    if (!element || !contents) return
    // More to the right is shown by a shadow, as a column may end just at the edge.
    const note = () =>
      element.toggleAttribute('data-more', element.scrollLeft + element.clientWidth < element.scrollWidth - 1)
    element.addEventListener('scroll', note, { passive: true })
    const observer = new ResizeObserver(() => {
      element.toggleAttribute('data-overflow', element.scrollWidth > element.clientWidth)
      note()
    })
    observer.observe(element)
    observer.observe(contents)
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [box])
}

/**
 * The index of the clicked row, or -1 for clicks on a control inside it and for the end of a text selection.
 */
function rowIndex(target: Element): number {
  if (target.closest('button, a, input, select, label') || String(getSelection())) return -1
  return (target.closest('tr')?.rowIndex ?? 0) - 1
}
