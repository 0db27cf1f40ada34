import { lazy, type ReactNode, Suspense } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Table, type TableProps } from '../../ui/data/Table.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import type { useExport } from '../export/useExport.ts'
import type { List } from './useList.ts'

const ExportStatus = lazy(() => import('../export/ExportStatus.tsx'))

type FromList = 'rows' | 'error' | 'onRetry' | 'stale' | 'paging'

export interface ListTableProps<R, F> extends Omit<TableProps<R>, FromList> {
  list: List<R, F>
  /** Replaces the default empty state when filters match nothing. */
  noMatch?: ReactNode
}

/** A list as a paginated table. `empty` is shown while there are no rows and no filters. */
export function ListTable<R, F>({ list, noMatch, empty, ...table }: ListTableProps<R, F>) {
  const common = useMessages('common')
  const { filter } = list
  return (
    <Table
      {...table}
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

export interface ListPageProps<R, F> extends ListTableProps<R, F> {
  title: string
  text?: string
  /** Shown beside the title. */
  actions?: ReactNode
  /** Adds an export button. */
  file?: ReturnType<typeof useExport>
  /** Words the number of exported rows; defaults to entries. */
  exportCounted?(text: string, count: number): string
  filters?: ReactNode
  /** Shown between filters and rows. */
  notice?: ReactNode
  /** Shown between the title and the list. */
  above?: ReactNode
  /** Renders the details of the row named in the URL. */
  drawer?(id: string): ReactNode
}

/** A list page: title, export, filters, table and a details drawer. */
export function ListPage<R, F>({
  title,
  text,
  actions,
  file,
  exportCounted,
  filters,
  notice,
  above,
  drawer,
  ...table
}: ListPageProps<R, F>) {
  const common = useMessages('common')
  const { list, rowKey } = table
  return (
    <>
      <PageHeader
        title={title}
        text={text}
        actions={
          <>
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
          </>
        }
      />
      {file && file.state.step !== 'idle' && (
        <Suspense fallback={null}>
          <ExportStatus {...file} counted={exportCounted ?? common.inAll} />
        </Suspense>
      )}
      {above}
      <Card flush>
        {filters}
        {notice}
        <ListTable {...(drawer && { onOpen: (row: R) => list.open(rowKey(row)) })} {...table} />
      </Card>
      {list.opened !== undefined && <Suspense fallback={null}>{drawer?.(list.opened)}</Suspense>}
    </>
  )
}
