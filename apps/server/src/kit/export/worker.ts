import { enableCompileCache, flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { enableFastChecksums } from '@coffer/chains/evm/address.ts'
import type { ExportTask } from './export-rows.ts'

// On Linux of this thread alone: pages are answered first.
if (process.platform === 'linux') setPriority(10)
// Most of a small export's time is compiling the modules that it imports.
const { cache, module }: ExportTask = workerData
if (cache) enableCompileCache(cache)
const [{ xlsxStream }, { writeExportFile }] = await Promise.all([
  import('../xlsx/workbook.ts'),
  import('./write-export-file.ts'),
  import(module),
  enableFastChecksums(),
])
flushCompileCache()
await writeExportFile(xlsxStream)
