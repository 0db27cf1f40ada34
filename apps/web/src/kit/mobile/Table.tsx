import { useMessages } from '../../i18n/messages.ts'
import { Pagination } from '../../ui/controls/Pagination.tsx'
import type { TableProps } from '../../ui/data/Table.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import { ColumnRows } from './ColumnRows.tsx'
import { RowPlaceholders } from './Rows.tsx'

export type { Column } from '../../ui/data/TableRow.tsx'

/** `Table` of phones: rows of two lines. */
export function Table<R>(props: TableProps<R>) {
  const { caption, columns, rows, rowKey, error, onRetry, skeletonRows, empty, paging, isSum, onOpen } = props
  const t = useMessages('common')
  if (error && !rows) return <ErrorState error={error} {...(onRetry && { onRetry })} />
  if (!rows) return <RowPlaceholders count={skeletonRows ?? 8} />
  if (rows.length === 0) return empty ?? <Empty title={t.nothingHere} />
  return (
    <section aria-label={caption}>
      <ColumnRows
        look="border-t border-line"
        caption={caption}
        rows={new Map(rows.map(row => [rowKey(row), row]))}
        columns={columns}
        isSum={isSum}
        {...(onOpen && { onOpen })}
      />
      {paging && <Pagination {...paging} />}
    </section>
  )
}
