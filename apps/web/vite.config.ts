import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli.ts'
import { head } from './build/head.ts'
import { pageInputs, pagePaths } from './build/pages.ts'

const root = import.meta.dirname
const server = process.env.COFFER_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), head(), pagePaths(), brotli()],
  publicDir: false,
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Data URIs would need an exception in the content policy; a hashed file is cached for ever.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pageInputs(root) },
  },
  server: { proxy: { '/api': server, '/docs': server, '/sandbox': server, '/uploads': server } },
})
