import { xlsxStream } from '../../kit/xlsx/workbook.ts'
import { writeExport } from './export-file.ts'

await writeExport(xlsxStream)
