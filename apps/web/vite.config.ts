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
        '/src/lib/(?:cell|storage)\\.ts$',
        '/src/i18n/language\\.ts$',
        '/src/theme/theme\\.ts$',
        '/src/ui/classes\\.ts$',
        '/contract/src/(?:codes|languages|limits|validators)\\.ts$',
      ].join('|'),
    ),
  },
  { name: 'figures', priority: 1, test: /\/src\/i18n\/format\.ts$|\/contract\/src\/decimal\.ts$/ },
  {
    name: 'start',
    test: new RegExp(
      [
        '/src/lib/(?:useCell|session|device|toast|plural)\\.ts$',
        '/src/i18n/(?:areas|messages)\\.ts$',
        '/src/api/(?:client|explain|failure|index|transport|url)\\.ts$',
        '/src/kit/(?:useForm\\.ts|Pickers\\.tsx)$',
        '/src/ui/(?:Mark|icons|feedback/Toasts)\\.tsx$',
        '/src/ui/controls/(?:Button|Field|Menu|PasswordInput|SendCode|TextInput)\\.tsx$',
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
      '/src/(?:kit/useSpan|lib/days)\\.ts$',
      '/src/api/(?:events|live|query|stream|zone)\\.ts$',
      '/src/ui/controls/(?:Link|Pagination|Popover|Select|Tabs)\\.tsx$',
      '/src/ui/controls/pageNumbers\\.ts$',
      '/src/ui/data/(?:Card|Figure|PageHeader|Table|TableRow|TwoLines|Values)\\.tsx$',
      '/src/ui/dates/(?:DateRange|SpanChoice)\\.tsx$',
      '/src/ui/feedback/(?:Badge|Modal|StateBadge|States)\\.tsx$',
      '/src/ui/logos/(?:Logo\\.tsx|generated/chains\\.ts)$',
    ].join('|'),
  ),
}

/** What the back-office starts with and lazy parts of it need too. */
const frameChunk = {
  name: 'frame',
  test: new RegExp(
    [
      '/src/(?:router|routes)\\.tsx$',
      '/src/kit/(?:list/search|logout)\\.ts$',
      '/src/shells/(?:NotFound|PageBroken|PageSkeleton|Root)\\.tsx$',
      '/src/shells/desktop/(?:DelayNotice|Desktop|Header|PermissionPrompt|SideMenu)\\.tsx$',
      '/src/shells/desktop/(?:activePath|menuState)\\.ts$',
      '/src/features/notifications/(?:queries|readBatch)\\.ts$',
      '/src/ui/feedback/Confirm\\.tsx$',
    ].join('|'),
  ),
}

/** What every page with a list draws with. */
const listChunk = {
  name: 'list',
  test: new RegExp(
    [
      '/src/kit/list/(?:Filters|ListPage|query|useList)\\.tsx?$',
      '/src/kit/export/(?:export|useExport)\\.ts$',
      '/src/ui/controls/NumberFilter\\.tsx$',
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
      output: { codeSplitting: { groups: [...startChunks, pageChunk, frameChunk, listChunk] } },
    },
  },
  server: { proxy: { '/api': server, '/docs': server, '/sandbox': server, '/uploads': server } },
})
