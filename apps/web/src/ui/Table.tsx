import type { ReactNode } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { cx } from './classes.ts'
import { Pagination, type PaginationProps } from './Pagination.tsx'
import { Empty, ErrorState, Skeleton } from './States.tsx'

export interface Column<R> {
  key: string
  title: ReactNode
  cell(row: R): ReactNode
  /** Numbers stand at the end, so that their digits line up. */
  align?: 'start' | 'end'
  /** Stays in view when the table scrolls sideways: the first column, or the last with the actions. */
  sticky?: 'start' | 'end'
  className?: string
}

interface Props<R> {
  /** Read by screen readers; the page's title in most cases. */
  caption: string
  columns: readonly Column<R>[]
  /** Undefined while loading for the first time. */
  rows: readonly R[] | undefined
  rowKey(row: R): string
  error?: Error | null
  onRetry?(): void
  /** A new page is on its way; the old rows stay, paler. */
  stale?: boolean
  skeletonRows?: number
  /** Cells with two lines make higher rows, while loading too. */
  lines?: 1 | 2
  empty?: ReactNode
  paging?: PaginationProps
  /** Opens the details of a row; the first cell then holds the button that does it by keyboard. */
  onOpen?(row: R): void
}

const edge = {
  start: 'sticky left-0 z-1 shadow-[1px_0_0_var(--line)]',
  // On narrow windows two columns that stay would leave no room for the others.
  end: 'sm:sticky sm:right-0 sm:z-1 sm:shadow-[-1px_0_0_var(--line)]',
}

const heights = { 1: 'h-12', 2: 'h-15' }

/** A native table in a box that scrolls sideways, with its four states: loading, rows, nothing, error. */
export function Table<R>(props: Props<R>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    error,
    onRetry,
    stale,
    skeletonRows = 10,
    lines = 1,
    empty,
    paging,
    onOpen,
  } = props
  const t = useMessages('common')
  if (error && !rows) return <ErrorState error={error} {...(onRetry && { onRetry })} />
  return (
    <div className="min-w-0">
      {/* biome-ignore lint/a11y/useSemanticElements: not a landmark, for the card around it often has the same name */}
      <div
        role="group"
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className="relative overflow-x-auto focus-visible:-outline-offset-2"
      >
        <table aria-busy={rows === undefined || stale} className="w-full border-separate border-spacing-0 text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map(column => (
                <th
                  key={column.key}
                  scope="col"
                  className={cx(
                    'h-10 border-y border-line bg-surface px-3 text-[13px] font-medium whitespace-nowrap text-ink-3 first:pl-5 last:pr-5',
                    column.align === 'end' ? 'text-right' : 'text-left',
                    column.sticky && edge[column.sticky],
                  )}
                >
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={cx('transition-opacity', stale && 'opacity-60')}>
            {rows === undefined
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing but their place
                  <tr key={index}>
                    {columns.map(column => (
                      <td
                        key={column.key}
                        className={cx(heights[lines], 'border-b border-line px-3 first:pl-5 last:pr-5')}
                      >
                        <Skeleton className={cx('h-4 w-3/4', column.align === 'end' && 'ml-auto')} />
                      </td>
                    ))}
                  </tr>
                ))
              : rows.map(row => (
                  <tr
                    key={rowKey(row)}
                    onClick={onOpen && (event => fromRow(event.target) && onOpen(row))}
                    className={cx('group', onOpen && 'cursor-pointer')}
                  >
                    {columns.map(column => (
                      <td
                        key={column.key}
                        className={cx(
                          heights[lines],
                          'border-b border-line bg-surface px-3 py-1.5 group-hover:bg-sunken first:pl-5 last:pr-5',
                          column.align === 'end' && 'num text-right',
                          column.sticky && edge[column.sticky],
                          column.className,
                        )}
                      >
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      {rows?.length === 0 && (empty ?? <Empty />)}
      {paging && (rows === undefined || paging.total > 0) && <Pagination {...paging} />}
      <span aria-live="polite" className="sr-only">
        {rows === undefined ? t.loading : ''}
      </span>
    </div>
  )
}

/** A click on a control inside the row is the control's, not the row's; so is a text selection. */
const fromRow = (target: EventTarget): boolean =>
  !(target as Element).closest('button, a, input, select, label') && !String(getSelection())
