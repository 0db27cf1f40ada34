import type { ExportScope, ExportTable } from '../kit/export/export-rows.ts'
import type { SheetCell } from '../kit/xlsx/cells.ts'
import type { TestDeps } from './deps.ts'
import { ownerReader } from './merchants.ts'

/** The rows of an export as its first page reads them, by the English titles of the columns. Times are Unix seconds. */
export async function exportCells<Filter, Row, Names>(
  { pool }: Pick<TestDeps, 'pool'>,
  table: ExportTable<Filter, Row, Names>,
  given: Omit<ExportScope<Filter>, 'personId' | 'role'>,
): Promise<Record<string, SheetCell | number>[]> {
  const scope = { ...ownerReader(given.merchantId), ...given }
  const about = { ...((await table.names?.(pool, scope)) as Names), language: scope.language }
  const rows = await table.next(pool, scope, undefined, 100)
  return rows.map(row =>
    Object.fromEntries(
      table.columns.map(column => {
        if ('time' in column) return [column.en, column.time(row)]
        if ('count' in column) return [column.en, column.count(row)]
        return [column.en, 'cell' in column ? column.cell(row, about) : { number: column.amount(row, about) }]
      }),
    ),
  )
}
