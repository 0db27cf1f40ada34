import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './build/brotli.ts'
import { font } from './build/font.ts'
import { documents, head } from './build/head.ts'
import { noUnused, ownStore } from './build/own-store.ts'
import { smallStart } from './build/small-start.ts'

const root = import.meta.dirname

/**
 * What the first page needs, in one file: it compresses better, and needs fewer requests. Not the entry, which waits at
 * its top.
 */
const startChunk = {
  name: 'start',
  test: new RegExp(
    [
      'vite/preload-helper',
      'node_modules/(?:react|react-dom|scheduler|@tanstack|use-sync-external-store)/',
      '/src/(?:api|theme)/(?!codes|early|events|live|stream|tabs)',
      '/src/lib/(?:cell|days|plural|recover|session|storage|toast|useCell|zone)\\.ts$',
      '/src/i18n/\\w+\\.ts$',
      '/src/kit/(?:Pickers\\.tsx|router/\\w+\\.tsx|list/search\\.ts)$',
      '/src/operator/(?:routes\\.ts|shell/(?:MoneyLine|Shell)\\.tsx|kit/(?:api|fresh|links|times|Rows)\\.tsx?)$',
      '/src/operator/features/today/(?!PendingRows)\\w+\\.tsx$',
      '/src/login/Frame\\.tsx$',
      '/src/ui/(?:classes|icons|pageIcons|shellIcons|Mark)\\.tsx?$',
      '/src/ui/controls/(?:Button|Link|Menu|Pagination|Tooltip|pageNumbers)\\.tsx?$',
      '/src/ui/data/(?:Card|Digits|Facts|PageHeader|Table|TableRow|Values|amountRoom|inGroups|useRowKeys)\\.tsx?$',
      '/src/ui/feedback/(?:Badge|CodeBadge|ConfirmHost|States|Toasts|confirm)\\.tsx?$',
      '/contract/src/(?:codes|languages)\\.ts$',
      '/contract/src/kit/(?:decimal|device|fiats|format-amount|limits)\\.ts$',
    ].join('|'),
  ),
}

/** Its address must not change with its content. */
const worker: Plugin = {
  name: 'coffer-console-worker',
  generateBundle() {
    const source = readFileSync(join(root, 'src', 'operator', 'worker.js'))
    this.emitFile({ type: 'asset', fileName: 'worker.js', source })
  },
}

/**
 * The operator's console, built by itself: it shares no file with the pages of merchants, whose port must not serve it,
 * and neither changes the size of the other.
 */
export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), font(), documents(), head(), noUnused(), smallStart(), worker, brotli()],
  publicDir: false,
  resolve: { alias: ownStore },
  build: {
    target: 'es2023',
    outDir: 'dist/operator',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [join(root, 'operator.html')],
      output: { codeSplitting: { groups: [startChunk] } },
    },
  },
})
