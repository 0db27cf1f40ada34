import { enableCompileCache, flushCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import { checksumFast } from '@coffer/chains/evm/address.ts'
import type { ExportTask } from './export-rows.ts'

// Most of a small export's time is compiling the modules that it imports.
const { cache, module }: ExportTask = workerData
if (cache) enableCompileCache(cache)
const [{ xlsxStream }, { writeFile }] = await Promise.all([
  import('../xlsx/workbook.ts'),
  import('./write-file.ts'),
  import(module),
  checksumFast(),
])
flushCompileCache()
await writeFile(xlsxStream)
