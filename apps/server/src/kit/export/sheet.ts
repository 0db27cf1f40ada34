import type { Language } from '@coffer/contract/languages.ts'
import { formatUtcOffset } from '../days.ts'
import { isSafeNumber, type SheetCell } from '../xlsx/cells.ts'
import type { WorkbookInput } from '../xlsx/workbook.ts'
import { formatColumnTitle } from './csv.ts'
import type { ExportColumn } from './export-rows.ts'

const offsetTitle: Record<Language, (title: string) => string> = {
  en: title => `${title}, UTC offset`,
  'zh-CN': title => `${title}的 UTC 偏移`,
}
const exactTitle: Record<Language, string> = { en: 'Exact amounts', 'zh-CN': '精确金额' }

/**
 * The columns of a list as a spreadsheet has them. A time is a date on the merchant's clock, and beside it the offset
 * of that clock, without which the hour that comes twice is one. Amounts are numbers, so that they add up; the last
 * column has those of more digits than a number of a spreadsheet, with all of them.
 */
export function buildSheet<Row, Names>(
  columns: readonly ExportColumn<Row, Names>[],
  about: Names & { language: Language },
  zone: string,
  offsetOf: (seconds: number) => number,
): { columns: WorkbookInput['columns']; row(row: Row): SheetCell[] } {
  const { language } = about
  const amounts = columns.some(column => 'amount' in column)
  const titled = columns.flatMap(column => {
    const own = { title: formatColumnTitle(column, language, zone), width: column.width }
    return 'time' in column ? [own, { title: offsetTitle[language](column[language]), width: 12 }] : [own]
  })
  return {
    columns: amounts ? [...titled, { title: exactTitle[language], width: 30 }] : titled,
    row(row) {
      const cells: SheetCell[] = []
      let exact = ''
      for (const column of columns) {
        if ('cell' in column) cells.push(column.cell(row, about))
        else if ('count' in column) cells.push({ count: column.count(row) })
        else if ('time' in column) {
          const seconds = column.time(row)
          const offset = seconds ? offsetOf(seconds) : 0
          if (seconds) cells.push({ date: seconds + offset }, `UTC${formatUtcOffset(offset)}`)
          else cells.push('', '')
        } else {
          const amount = column.amount(row, about)
          cells.push(amount === '' ? '' : { number: amount })
          if (!isSafeNumber(amount)) exact += `${exact && '; '}${column[language]} ${amount}`
        }
      }
      if (amounts) cells.push(exact)
      return cells
    },
  }
}
