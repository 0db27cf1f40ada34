import { type ComponentType, type ReactNode, Suspense } from 'react'
import type { AnyField, ListField } from '../list/fields.ts'
import type { ListCall, ListRow, SearchRules } from '../list/search.ts'
import { FilterBar } from './FilterBar.tsx'
import type { FilterSheetProps } from './FilterSheet.tsx'
import { type RowParts, Rows } from './Rows.tsx'
import type { EndlessList } from './useList.ts'

/** Rows stand under the days of their creation. */
type Dated<K extends ListCall> = ListRow<K> & { created_time: number }

interface Props<K extends ListCall, R extends SearchRules> {
  title: string
  caption: string
  list: EndlessList<K, R>
  /** The field that identifies a row. */
  rowKey: keyof ListRow<K>
  /** Without them, the list has no filters. */
  filters?: readonly ListField<R>[]
  /** The sheet of the filters, if it has more of them. */
  Sheet?: ComponentType<FilterSheetProps>
  row(row: ListRow<K>): RowParts
  /** Opens a row; without it, `drawer` is opened. */
  onOpen?(row: ListRow<K>): void
  drawer?(id: string): ReactNode
  /** Above the rows. */
  notice?: ReactNode
  empty: ReactNode
  /** Below the list, such as the page's one action. */
  children?: ReactNode
}

/** A list page of phones whose rows have a form of their own: filters to swipe, rows under their days, and a drawer. */
export function RowsPage<K extends ListCall, R extends SearchRules>(props: Props<K, R>) {
  const { title, caption, list, rowKey, filters, Sheet, row, drawer, notice, empty, children } = props
  const keyOf = (each: ListRow<K>) => String(each[rowKey])
  const { onOpen = (each: ListRow<K>) => list.open(keyOf(each)) } = props
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      {filters && (
        <FilterBar filter={list.filter} rules={list.of.rules} fields={filters as readonly AnyField[]} Sheet={Sheet} />
      )}
      {notice}
      <Rows<Dated<K>>
        label={caption}
        list={list as EndlessList<K, R> & { rows: readonly Dated<K>[] | undefined }}
        rowKey={keyOf}
        row={row}
        onOpen={onOpen}
        empty={empty}
      />
      {children}
      {list.opened !== undefined && <Suspense fallback={null}>{drawer?.(list.opened)}</Suspense>}
    </>
  )
}
