import type { Column } from './TableRow.tsx'

/**
 * The columns of a table, without actions that no row has. Only the last one keeps its place at the end, as two there
 * would cover each other.
 */
export function selectVisibleColumns<R>(
  all: readonly Column<R>[],
  rows: readonly R[] | undefined,
): readonly Column<R>[] {
  const columns = all.filter(({ isActions, cell }) => !isActions || !rows?.length || rows.some(cell))
  return columns.map((column, index) => {
    if (column.sticky !== 'end' || index === columns.length - 1) return column
    const { sticky: _sticky, ...flowing } = column
    return flowing
  })
}
