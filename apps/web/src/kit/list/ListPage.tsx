import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Pagination } from '../../ui/controls/Pagination.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Empty, Skeleton } from '../../ui/feedback/States.tsx'
import { createRowKey, type ListPageProps, type ListTableProps, useListParts } from './listParts.tsx'
import type { ListCall, ListRow, SearchRules } from './search.ts'

/** A list as a paginated table. `empty` is shown while there are no rows and no filters. */
export function ListTable<K extends ListCall, R extends SearchRules>(props: ListTableProps<K, R>) {
  const { list, noMatch, empty, rowKey, ...table } = props
  const common = useMessages('common')
  const { filter } = list
  return (
    <Table<ListRow<K>>
      {...table}
      rowKey={createRowKey(rowKey)}
      rows={list.rows}
      error={list.error}
      onRetry={list.retry}
      stale={list.stale}
      paging={{ ...list.page, total: list.total, onChange: list.setPage }}
      empty={
        !filter.active
          ? empty
          : (noMatch ?? (
              <Empty
                icon="filter"
                title={common.nothingFound}
                text={common.changeFilters}
                action={<Button onClick={filter.clear}>{common.clearFilters}</Button>}
              />
            ))
      }
    />
  )
}

/**
 * A list page: title, export, filters, table and a details drawer. `rows` draws the rows in place of the table; without
 * any, it draws nothing.
 */
export function ListPage<K extends ListCall, R extends SearchRules>(
  props: ListPageProps<K, R> & { rows?: ((rows: readonly ListRow<K>[]) => ReactNode) | false },
) {
  const { title, text, notice, above, rows, list } = props
  const { table, save, actions, progress, filters, details } = useListParts(props)
  return (
    <>
      <PageHeader
        title={title}
        text={text}
        actions={
          <>
            {save}
            {actions}
          </>
        }
      />
      {progress}
      {above}
      <Card flush>
        {filters}
        {notice}
        {rows && list.rows && list.rows.length > 0 ? (
          <>
            {rows(list.rows)}
            <Pagination {...list.page} total={list.total} onChange={list.setPage} />
          </>
        ) : (
          <>
            {rows && !list.rows && !list.error && <Skeleton className="m-5 h-24" />}
            {/* A table's head would stand above no columns. */}
            <div className={rows ? '[&_table]:hidden' : ''}>
              <ListTable {...table} />
            </div>
          </>
        )}
      </Card>
      {details}
    </>
  )
}
