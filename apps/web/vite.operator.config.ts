import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli.ts'
import { font } from './build/font.ts'
import { documents, head } from './build/head.ts'

const root = import.meta.dirname

/**
 * The operator's console, built by itself: it shares no file with the pages of merchants, whose port must not serve it, and neither
 * changes the size of the other.
 */
export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), font(), documents(), head(), brotli()],
  publicDir: false,
  build: {
    target: 'es2023',
    outDir: 'dist/operator',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [join(root, 'operator.html')] },
  },
})
