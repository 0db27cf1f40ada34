import type { Language } from '@coffer/contract/languages.ts'
import type { Cell } from '../xlsx/cells.ts'
import type { ExportColumn, TextFile } from './export-rows.ts'

/** The title of a column; of a time, with the zone. */
export const titleOf = <Row, Names>(column: ExportColumn<Row, Names>, language: Language, zone: string): string =>
  'time' in column ? `${column[language]} (${zone})` : column[language]

/** A comma-separated file (RFC 4180) with the columns of a spreadsheet, in UTF-8 with the mark that spreadsheets look for. */
export const csvFile = <Row, Names>(columns: readonly ExportColumn<Row, Names>[]): TextFile<Row, Names> => ({
  extension: 'csv',
  type: 'text/csv; charset=utf-8',
  head: ({ language, zone }) =>
    `\uFEFF${columns.map(column => csvCell(titleOf(column, language, zone))).join(',')}\r\n`,
  row(row, about) {
    const cells = columns.map(column => {
      if ('cell' in column) return csvCell(column.cell(row, about))
      const seconds = column.time(row)
      return seconds ? about.wall(seconds) : ''
    })
    return `${cells.join(',')}\r\n`
  },
})

/** Writes a cell. Text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvCell(cell: Cell): string {
  if (typeof cell === 'object') return cell.number
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
