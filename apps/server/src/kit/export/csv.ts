import type { Language } from '@coffer/contract/languages.ts'
import { type Cell, startsFormula } from '../xlsx/cells.ts'
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
    let line = ''
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      if (i > 0) line += ','
      if ('cell' in column) line += csvCell(column.cell(row, about))
      else {
        const seconds = column.time(row)
        if (seconds) line += about.wall(seconds)
      }
    }
    return `${line}\r\n`
  },
})

/** Text that needs neither an apostrophe nor quotes. Most text matches. */
const plain = /^[^=+\-@\t\r\n＝＋－＠",][^\r\n",]*$/

/** Writes a cell. Text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvCell(cell: Cell): string {
  if (typeof cell === 'object') return cell.number
  if (cell === '' || plain.test(cell)) return cell
  const text = startsFormula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
