import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli.ts'
import { head } from './build/head.ts'
import { pageInputs, pagePaths } from './build/pages.ts'

const root = import.meta.dirname
const server = process.env.COFFER_URL ?? 'http://127.0.0.1:8080'

/**
 * What login and back-office both start with, in two files instead of twenty: small ones compress worse and cost a
 * request each. Only modules that both need from the first moment belong here.
 */
const startChunks = [
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 1 },
  {
    name: 'start',
    test: new RegExp(
      [
        '/src/(?:cell|storage|session|device|toast|useForm)\\.ts$',
        '/src/i18n/[a-z]+\\.ts$',
        '/src/theme/theme\\.ts$',
        '/src/api/(?:client|explain|failure|index|transport|url)\\.ts$',
        '/src/ui/(?:Button|Field|Mark|Menu|TextInput|Toasts|icons)\\.tsx$',
        '/src/ui/classes\\.ts$',
        '/src/shells/Pickers\\.tsx$',
        '/contract/src/(?:codes|decimal|limits|validators)\\.ts$',
      ].join('|'),
    ),
  },
]

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
    rolldownOptions: {
      input: pageInputs(root),
      output: { codeSplitting: { groups: startChunks } },
    },
  },
  server: { proxy: { '/api': server, '/docs': server, '/sandbox': server, '/uploads': server } },
})
