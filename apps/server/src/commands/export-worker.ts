import { xlsxStream } from '../xlsx/workbook.ts'
import { writeExport } from './export-file.ts'

await writeExport(xlsxStream)
