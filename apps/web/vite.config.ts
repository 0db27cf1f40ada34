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
    // What the checkout needs too, which has no React.
    name: 'base',
    priority: 1,
    test: new RegExp(
      [
        'vite/preload-helper',
        '/src/(?:cell|storage)\\.ts$',
        '/src/i18n/language\\.ts$',
        '/src/theme/theme\\.ts$',
        '/src/ui/classes\\.ts$',
        '/contract/src/(?:languages|limits|validators)\\.ts$',
      ].join('|'),
    ),
  },
  { name: 'figures', priority: 1, test: /\/src\/i18n\/format\.ts$|\/contract\/src\/decimal\.ts$/ },
  {
    name: 'start',
    test: new RegExp(
      [
        '/src/(?:useCell|session|device|toast|useForm)\\.ts$',
        '/src/i18n/(?:areas|messages|plural)\\.ts$',
        '/src/api/(?:client|explain|failure|index|transport|url)\\.ts$',
        '/src/ui/(?:Button|Field|Mark|Menu|PasswordInput|SendCode|TextInput|Toasts|icons)\\.tsx$',
        '/src/shells/Pickers\\.tsx$',
        '/contract/src/codes\\.ts$',
      ].join('|'),
    ),
  },
]

/**
 * What nearly every page of the back-office draws with, in one file for the same reason. Login must not need any of it,
 * or it would load all of it.
 */
const pageChunk = {
  name: 'page',
  test: new RegExp(
    [
      'node_modules/@tanstack/',
      '/src/(?:days|listSearch)\\.ts$',
      '/src/api/(?:events|live|prefetch|query|stream|zone)\\.ts$',
      '/src/ui/(?:Badge|Card|DateRange|Figure|Link|Modal|PageHeader|Pagination|Popover|Select|SpanChoice|States)\\.tsx$',
      '/src/ui/(?:Table|TableRow|Tabs|TwoLines|Values)\\.tsx$',
      '/src/ui/pageNumbers\\.ts$',
      '/src/ui/logos/(?:Logo\\.tsx|generated/chains\\.ts)$',
    ].join('|'),
  ),
}

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
      output: { codeSplitting: { groups: [...startChunks, pageChunk] } },
    },
  },
  server: { proxy: { '/api': server, '/docs': server, '/sandbox': server, '/uploads': server } },
})
