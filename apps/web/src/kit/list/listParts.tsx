import { lazy, type ReactNode, Suspense } from 'react'
import type { RouteKey } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import type { TableProps } from '../../ui/data/Table.tsx'
import { useExport } from '../export/useExport.ts'
import { Filters } from './Filters.tsx'
import type { AnyField, ListField } from './fields.ts'
import { buildListQuery } from './query.ts'
import type { ListCall, ListDeclaration, ListRow, SearchRules } from './search.ts'
import type { ListState } from './useListSearch.ts'

const ExportStatus = lazy(() => import('../export/ExportStatus.tsx'))

type FromList = 'rows' | 'error' | 'onRetry' | 'stale' | 'paging' | 'rowKey'

export interface ListTableProps<K extends ListCall, R extends SearchRules>
  extends Omit<TableProps<ListRow<K>>, FromList> {
  list: ListState<K, R>
  /** The field that identifies a row; defaults to `id`. */
  rowKey?: keyof ListRow<K>
  /** Replaces the default empty state when filters match nothing. */
  noMatch?: ReactNode
}

export const createRowKey =
  <R,>(name: keyof R = 'id' as keyof R) =>
  (row: R): string =>
    String(row[name])

type Saved = ReturnType<typeof useExport>

export interface ListPageProps<K extends ListCall, R extends SearchRules>
  extends Omit<ListTableProps<K, R>, 'caption' | 'isSum'> {
  title: string
  text?: string
  /** Names the table for screen readers; defaults to the title. */
  caption?: string
  /** Shown beside the title; may start an export of its own. */
  actions?: ReactNode | ((file: Saved) => ReactNode)
  /** Adds an export button: the call, the beginning of the file's name, and the words for a number of rows. */
  file?: { call: RouteKey; name: string; counted?(text: string, count: number): string }
  filters?: readonly ListField<R>[]
  /** Names the filters for screen readers. */
  filtersLabel?: string
  /** Overrides the layout of the filters. */
  filtersClass?: string
  /** Label of the button that shows further filters. */
  moreFilters?: string
  /** Shown between filters and rows. */
  notice?: ReactNode
  /** Shown between the title and the list. */
  above?: ReactNode
  /** Renders the details of the row named in the URL. */
  drawer?(id: string): ReactNode
}

/** What the pages of both devices draw for the actions, export, filters, rows and details of a list. */
export function useListParts<K extends ListCall, R extends SearchRules>(props: ListPageProps<K, R>) {
  const { list, title, caption = title, actions, file, drawer, rowKey, lines = 2 } = props
  const { skeletonRows = list.page.pageSize } = props
  const common = useMessages('common')
  const { inAll } = useMessages('shell')
  const { columns, recycle, empty, noMatch, onOpen } = props
  const of = list.of as unknown as ListDeclaration
  const saved = useExport(file?.call, buildListQuery(of, list.filter.values), file?.name ?? '')
  const { filters, filtersLabel = common.search, moreFilters, filtersClass } = props
  return {
    table: {
      list,
      caption,
      columns,
      lines,
      skeletonRows,
      empty,
      noMatch,
      ...(rowKey !== undefined && { rowKey }),
      ...(recycle && { recycle }),
      ...(onOpen && { onOpen }),
      ...(drawer && { onOpen: (row: ListRow<K>) => list.open(createRowKey<ListRow<K>>(rowKey)(row)) }),
    },
    filters: filters && (
      <Filters
        label={filtersLabel}
        filter={list.filter}
        rules={of.rules}
        fields={filters as readonly AnyField[]}
        more={moreFilters}
        className={filtersClass}
      />
    ),
    save: file && (
      <Button
        call={file.call}
        icon="download"
        busy={saved.state.step === 'running'}
        disabled={list.total === 0}
        onClick={() => saved.start()}
      >
        {common.export}
      </Button>
    ),
    actions: typeof actions === 'function' ? actions(saved) : actions,
    progress: file && saved.state.step !== 'idle' && (
      <Suspense fallback={null}>
        <ExportStatus {...saved} counted={file.counted ?? inAll} />
      </Suspense>
    ),
    details: list.opened !== undefined && <Suspense fallback={null}>{drawer?.(list.opened)}</Suspense>,
  }
}
