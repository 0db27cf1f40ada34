import { type CSSProperties, memo, type ReactNode } from 'react'
import { cx } from '../classes.ts'
import type { ColumnAmount } from './computeAmountColumnStyle.ts'
import { NoValue } from './Values.tsx'

export interface Column<R> {
  /** Identifies a column whose place among the others changes. */
  key?: string
  title: ReactNode
  /** Null where the row has nothing. */
  cell(row: R): ReactNode
  /** The amount that `cell` draws with `<Amount column>`, so that decimal points line up. */
  amount?(row: R): ColumnAmount
  /** `end` for numbers, so that digits line up. */
  align?: 'start' | 'end'
  /** Keeps the column in view when the table scrolls sideways: the first one, or the last with the actions. */
  sticky?: 'start' | 'end'
  className?: string
  /** Left out where the table is narrow; the details of the row have it. */
  isWide?: boolean
  /** Holds what can be done with the row. */
  isActions?: boolean
  /**
   * Its place in a row of a phone's list: in place of the first column, under it, or at the end of the first or second
   * line.
   */
  phone?: 'lead' | 'text' | 'value' | 'note'
  /** What stands there instead of `cell`, such as an amount with the unit that a table has in another column. */
  phoneCell?(row: R): ReactNode
  /** Stands before a row of a phone's list. */
  picture?(row: R): ReactNode
}

export const stickyEdgeClasses = {
  start:
    'in-data-overflow:sticky in-data-overflow:left-0 in-data-overflow:z-1 in-data-overflow:bg-inherit in-data-overflow:shadow-[1px_0_0_var(--line)]',
  // On narrow windows two sticky columns would leave no room for the others.
  end: 'sm:in-data-overflow:sticky sm:in-data-overflow:right-0 sm:in-data-overflow:z-1 sm:in-data-overflow:bg-inherit sm:in-data-overflow:shadow-[-1px_0_0_var(--line)] sm:in-data-more:shadow-[-1px_0_0_var(--line),-14px_0_14px_-10px_var(--overlay)]!',
}

/** The class of a column that is left out of narrow tables. */
export const wideOnlyClass = 'hidden @min-[1060px]:table-cell'

/**
 * The space beside the cell of a column; many columns stand closer, so that they fit on the window of a laptop. Figures
 * that end where text begins stand farther from it.
 */
export const cellPaddingClass = (columns: readonly Pick<Column<never>, 'align'>[], index: number) =>
  cx(
    columns.length > 7 ? 'px-1.5' : columns.length > 6 ? 'px-2' : 'px-3',
    'first:pl-5 last:pr-5',
    columns[index]?.align !== 'end' && columns[index - 1]?.align === 'end' && '@min-[1060px]:pl-5',
  )

export const rowHeightClasses = { 1: 'h-12', 2: 'h-15' }

interface Props<R> {
  row: R
  columns: readonly Column<R>[]
  /** The `amountRoom` of each column. */
  rooms: readonly (CSSProperties | undefined)[]
  lines: 1 | 2
  sum: boolean
  opens: boolean
}

function Plain<R>({ row, columns, rooms, lines, sum, opens }: Props<R>) {
  return (
    <tr className={cx('bg-surface hover:bg-sunken', sum && 'font-semibold', opens && 'cursor-pointer')}>
      {columns.map((column, index) => (
        <td
          key={column.key ?? index}
          style={rooms[index]}
          className={cx(
            rowHeightClasses[lines],
            'border-b border-line py-1.5',
            cellPaddingClass(columns, index),
            column.align === 'end' && 'num text-right',
            column.sticky && stickyEdgeClasses[column.sticky],
            column.isWide && wideOnlyClass,
            column.className,
          )}
        >
          {column.cell(row) ?? <NoValue />}
        </td>
      ))}
    </tr>
  )
}

/** One row, memoised by its contents and columns. */
export const TableRow = memo(Plain) as typeof Plain
