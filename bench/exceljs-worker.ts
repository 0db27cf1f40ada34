/** The product's export with exceljs (streaming) as the writer of the file. */
import { PassThrough, type Readable } from 'node:stream'
import { writeFile } from '@coffer/server/kit/export/write-file.ts'
import type { Workbook } from '@coffer/server/kit/xlsx/workbook.ts'
import exceljs from 'exceljs'

function byExceljs({ sheet, columns, rows }: Workbook): Readable {
  const out = new PassThrough()
  const write = async () => {
    const book = new exceljs.stream.xlsx.WorkbookWriter({ stream: out, zip: { zlib: { level: 1 } } })
    const page = book.addWorksheet(sheet)
    page.columns = columns.map(({ title, width }) => ({ header: title, width }))
    for await (const batch of rows) {
      for (const row of batch)
        page.addRow(row.map(cell => (typeof cell === 'string' ? cell : Number(cell.number)))).commit()
      while (out.writableNeedDrain) await new Promise(resolve => out.once('drain', resolve))
    }
    page.commit()
    await book.commit()
  }
  write().catch(error => out.destroy(error))
  return out
}

await writeFile(byExceljs)
