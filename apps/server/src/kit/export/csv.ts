import type { Language } from '@coffer/contract/languages.ts'
import { formulaStartPattern } from '../xlsx/cells.ts'
import type { ExportColumn, TextFile } from './export-rows.ts'

const inZone: Record<Language, (title: string, zone: string) => string> = {
  en: (title, zone) => `${title} (${zone})`,
  'zh-CN': (title, zone) => `${title}（${zone}）`,
}

/** The title of a column; of a time, with the zone. */
export const formatColumnTitle = <Row, Names>(
  column: ExportColumn<Row, Names>,
  language: Language,
  zone: string,
): string => ('time' in column ? inZone[language](column[language], zone) : column[language])

/**
 * A comma-separated file (RFC 4180) with the columns of a spreadsheet, in UTF-8 with the mark that spreadsheets look
 * for.
 */
export const csvFile = <Row, Names>(columns: readonly ExportColumn<Row, Names>[]): TextFile<Row, Names> => ({
  extension: 'csv',
  type: 'text/csv; charset=utf-8',
  head: ({ language, zone }) =>
    `\uFEFF${columns.map(column => csvCell(formatColumnTitle(column, language, zone))).join(',')}\r\n`,
  row(row, about) {
    let line = ''
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      if (i > 0) line += ','
      if ('cell' in column) line += csvCell(column.cell(row, about))
      else if ('amount' in column) line += column.amount(row, about)
      else if ('count' in column) line += column.count(row)
      else {
        const seconds = column.time(row)
        if (seconds) line += about.wall(seconds)
      }
    }
    return `${line}\r\n`
  },
})

/**
 * Text that needs neither a mark nor quotes. Most texts match: names, and addresses and transactions in hexadecimal
 * digits.
 */
const plain = /^(?:0x|(?!true|false|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z])[\w.:/ -]*$/i

/** More characters than a spreadsheet reads as anything but text. */
const numberLength = 255
/** Digits with the marks of numbers, dates, times and currencies. */
const number = /^[\s\p{Sc}('.]*\d[\d.,:/\-+\s'’()年月日時时分秒]*(?:e[-+]?\d+|[ap]\.?m?\.?|[\p{Sc}%]+)?$/iu
/** A date with its month in words, as in 5-Mar, March 5 and Mar2026. */
const date = /^\d{0,4}[-/. ]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:[-/., ]*\d[-/., :\d]*)?$/i
/** Halves of a day, by which spreadsheets in Chinese, Japanese and Korean tell a time, as in 上午9:30. */
const dayHalf = /上午|下午|午前|午後|오전|오후/g
const truth = /^(?:true|false)$/i

/**
 * Reports whether a spreadsheet that opens a comma-separated file takes a text for a number, a date, a time or a truth
 * value.
 */
export function isReadAsNumber(text: string): boolean {
  if (text.length > numberLength) return false
  const read = text.normalize('NFKC').replace(dayHalf, ' ').trim()
  return number.test(read) || truth.test(read) || (/\d/.test(read) && date.test(read))
}

/**
 * What begins a formula behind what begins a cell where spreadsheets split at semicolons: they see no quotes then. A
 * quote in the text is doubled, which is an empty text in quotes there, and the formula stands behind it.
 */
const innerFormula = /(?<=[;\t\r\n]"?)(?=[=+\-@＝＋－＠])/g

/**
 * Writes a cell of text. Text that a spreadsheet would run as a formula gets an apostrophe, also in the text. Text that
 * it would read as a number, such as 0012, gets a tab, with which it stays as it is, and which readers of the file
 * trim.
 */
export function csvCell(cell: string): string {
  if (cell === '' || plain.test(cell)) return cell
  const inside = cell.replace(innerFormula, "'")
  const text = formulaStartPattern.test(cell) ? `'${inside}` : isReadAsNumber(cell) ? `\t${cell}` : inside
  return /^\t|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
