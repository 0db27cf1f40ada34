import { xlsxStream } from '../xlsx/workbook.ts'
import { writeFile } from './write-file.ts'

await writeFile(xlsxStream)
