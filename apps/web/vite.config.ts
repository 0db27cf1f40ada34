import { languageList } from '@coffer/contract/languages.ts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli.ts'
import { font } from './build/font.ts'
import { documents, head } from './build/head.ts'
import { noUnused, ownStore } from './build/own-store.ts'
import { pageInputs, pagePaths } from './build/pages.ts'
import { phoneApp, phoneKit } from './build/phone.ts'
import { smallStart } from './build/small-start.ts'

const root = import.meta.dirname
const server = process.env.COFFER_URL ?? 'http://127.0.0.1:8080'

/**
 * Modules that login and back-office both load at startup. Fewer files compress better and need fewer requests. Only
 * modules needed by both for their first render belong here.
 */
const startChunks = [
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 1 },
  {
    // Also used by the checkout, which has no React.
    name: 'base',
    priority: 1,
    test: new RegExp(
      [
        'vite/preload-helper',
        '/src/lib/(?:cell|storage|zone)\\.ts$',
        '/src/i18n/language\\.ts$',
        '/src/theme/theme\\.ts$',
        '/src/ui/classes\\.ts$',
        '/src/ui/controls/hidden\\.ts$',
        '/src/i18n/listed\\.ts$',
        '/contract/src/languages\\.ts$',
        '/contract/src/kit/(?:limits|texts|validators)\\.ts$',
        '/contract/src/codes/logins\\.ts$',
      ].join('|'),
    ),
  },
  // Apart from the codes that every page needs, which name them.
  { name: 'proof-codes', priority: 2, test: /contract\/src\/codes\/proofs\.ts$/ },
  {
    name: 'figures',
    priority: 1,
    test: new RegExp(
      [
        '/src/(?:i18n/format|i18n/formatDay|lib/days|lib/span|ui/data/splitIntoGroups)\\.ts$',
        '/contract/src/codes\\.ts$',
        '/contract/src/kit/(?:decimal|fiats|format-amount|truncate-decimal)\\.ts$',
        '/contract/src/codes/applications\\.ts$',
      ].join('|'),
    ),
  },
  {
    name: 'login',
    test: /\/src\/login\/(?:Frame|Heading|Login|PasswordForm|ThirdPartySignIn|codeClient|view)\.tsx?$/,
  },
  {
    name: 'start',
    // Else the file of the login page takes them along, and the back-office loads that page.
    priority: 1,
    test: new RegExp(
      [
        '/src/lib/(?:useCell|sandbox|session|toast|pluralize)\\.ts$',
        '/contract/src/kit/device\\.ts$',
        '/src/i18n/(?:area|areas|messages)\\.ts$',
        '/src/api/(?:browser|client|encode|explain|failure|index|transport|url)\\.ts$',
        '/src/kit/(?:useForm\\.ts|Pickers\\.tsx)$',
        '/src/ui/(?:ProductLogo|icons|feedback/Toasts)\\.tsx$',
        '/src/ui/controls/(?:Button|Field|Menu|PasswordInput|TextInput)\\.tsx$',
      ].join('|'),
    ),
  },
]

/**
 * Modules that nearly every back-office page uses. Login must use none of them, or it would load the whole file.
 */
const pageChunk = {
  name: 'page',
  test: new RegExp(
    [
      'node_modules/@tanstack/',
      '/src/kit/useDateSpan\\.ts$',
      '/src/api/(?:events|live|query|stream)\\.ts$',
      '/src/ui/controls/(?:Link|Popover|Select|Tabs)\\.tsx$',
      '/src/ui/data/(?:Card|CopyText|Digits|Figure|PageHeader|Values)\\.tsx$',
      '/src/ui/data/computeAmountColumnStyle\\.ts$',
      '/src/ui/dates/(?:DateRange|SpanChoice)\\.tsx$',
      '/src/ui/feedback/(?:Badge|CallbackBadge|CodeBadge|Modal|StateBadge|States)\\.tsx$',
      '/src/ui/logos/(?:Logo\\.tsx|generated/chains\\.ts)$',
    ].join('|'),
  ),
}

/** Modules of the back-office's first render that lazy parts also use. */
const frameChunk = {
  name: 'frame',
  test: new RegExp(
    [
      '/src/(?:router|start|kit/router/\\w+)\\.tsx$',
      '/src/(?:lists|routes)\\.ts$',
      '/src/i18n/(?:pages|records)\\.ts$',
      '/src/kit/(?:list/search|logout)\\.ts$',
      '/src/lib/later\\.tsx$',
      '/src/shells/Root\\.tsx$',
      '/src/shells/desktop/(?:DelayNotice|Desktop|Header|PermissionPrompt|SideMenu)\\.tsx$',
      '/src/shells/desktop/activePath\\.ts$',
      '/src/features/notifications/(?:queries|readBatch|readMarks)\\.ts$',
      '/src/ui/(?:pageIcons|shellIcons)\\.ts$',
      '/src/ui/feedback/(?:ConfirmHost\\.tsx|confirm\\.ts)$',
    ].join('|'),
  ),
}

/** Modules of list pages and tables. */
const listChunk = {
  name: 'list',
  test: new RegExp(
    [
      '/src/kit/list/(?:Filters|ListPage|choices|columns|fields|listParts|query|useList|useListSearch)\\.tsx?$',
      '/src/kit/export/(?:export|useExport)\\.ts$',
      '/src/ui/controls/(?:NumberFilter|Pagination)\\.tsx$',
      '/src/ui/controls/pageNumbers\\.ts$',
      '/src/ui/data/(?:Table|TableRow|TwoLines)\\.tsx$',
    ].join('|'),
  ),
}

/** The start of the phone's pages, in one file. */
const phoneChunk = {
  name: 'pocket',
  test: new RegExp(
    [
      'vite/preload-helper',
      'node_modules/(?:react|react-dom|scheduler|@tanstack|use-sync-external-store)/(?!.*useBlocker)',
      '/src/(?:router|start|kit/router/\\w+)\\.tsx$',
      '/src/(?:api|lib|theme)/(?!areaCodes|codes|computePaidRatio|download|encode|inSandbox|once|streamWhileVisible|span|subscription|useDebouncedValue|work)',
      '/src/i18n/(?!pages|format\\.)\\w+\\.ts$',
      '/src/(?:lists|routes)\\.ts$',
      '/src/kit/list/(?:fields|query|search|useListSearch|SearchBox)\\.tsx?$',
      '/src/kit/mobile/(?:FilterBar|Rows|RowsPage)\\.tsx$',
      '/src/kit/mobile/useList\\.ts$',
      '/src/shells/Root\\.tsx$',
      '/src/shells/mobile/(?:Mobile|PullToRefresh)\\.tsx$',
      '/src/shells/desktop/DelayNotice\\.tsx$',
      '/src/features/notifications/queries\\.ts$',
      '/src/features/payments/(?:Page\\.mobile|owed|quickFields)\\.tsx?$',
      '/src/ui/(?:classes|icons|shellIcons)\\.tsx?$',
      '/src/ui/controls/(?:Button|Link|SearchInput|TextInput)\\.tsx$',
      '/src/ui/controls/hidden\\.ts$',
      '/src/ui/data/(?:Digits|Values)\\.tsx$',
      '/src/ui/data/computeAmountColumnStyle\\.ts$',
      '/src/ui/feedback/(?:Badge|ConfirmHost|Modal|StateBadge|States|Toasts)\\.tsx$',
      '/src/ui/feedback/confirm\\.ts$',
      '/src/ui/logos/',
      '/contract/src/(?:codes|languages)\\.ts$',
      '/contract/src/kit/(?:device|fiats|format-amount|limits|texts|truncate-decimal)\\.ts$',
    ].join('|'),
  ),
  includeDependenciesRecursively: false,
}

/** Small parts of the phone's other pages. In one file each they need fewer requests, and a shorter table of files. */
const phoneParts = [
  ...languageList.map(language => ({
    name: `texts-${language}`,
    test: new RegExp(`/src/i18n/${language}/(?:common|phone|shell)\\.ts$`),
  })),
  // Of all pages but the list of payments.
  { name: 'others', test: /\/src\/(?:i18n\/pages|ui\/pageIcons)\.ts$/ },
  {
    name: 'figures',
    test: new RegExp(
      [
        '/src/kit/mobile/(?:HeadlineBalance|BottomAction)\\.tsx$',
        '/src/lib/(?:computePaidRatio|span)\\.ts$',
        '/src/ui/controls/boxClass\\.ts$',
        '/src/ui/controls/(?:Choice|Tabs)\\.tsx$',
        '/src/ui/data/(?:Card|DetailList|Figure)\\.tsx$',
        '/src/ui/charts/shares\\.ts$',
        '/src/features/dashboard/(?:series|steps|useFirstSteps)\\.ts$',
        '/src/features/ledger/balances\\.ts$',
        '/src/i18n/format\\.ts$',
        '/contract/src/kit/decimal\\.ts$',
      ].join('|'),
    ),
    includeDependenciesRecursively: false,
  },
  {
    name: 'fields',
    test: new RegExp(
      [
        '/src/lib/once\\.ts$',
        '/src/kit/(?:logout|passkey|rules|useForm|useSubmit)\\.ts$',
        '/src/kit/export/(?:export|useExport)\\.ts$',
        '/src/kit/list/(?:Filters|ListCard|columns|listParts)\\.tsx$',
        '/src/kit/mobile/useCloseOnBack\\.ts$',
        '/src/kit/mobile/(?:ColumnRows|ListPage|PageHeader|Table)\\.tsx$',
        '/src/ui/controls/options\\.ts$',
        '/src/ui/controls/(?:Field|Menu|NumberFilter|Popover|Select)\\.tsx$',
        '/src/ui/data/TwoLines\\.tsx$',
        '/src/ui/dates/DateRange\\.tsx$',
        '/src/ui/feedback/(?:CallbackBadge|CodeBadge)\\.tsx$',
        '/contract/src/codes/applications\\.ts$',
        '/contract/src/kit/validators\\.ts$',
      ].join('|'),
    ),
    includeDependenciesRecursively: false,
  },
]

/**
 * Whether a phone requests a file together with the one that imports it. A longer list would cost its first page more
 * than it spares the next: only those that most pages import, beside styles.
 */
const spared = (file: string, importer: string): boolean =>
  file.endsWith('.css') || (/\/(?:fields|figures)-/.test(file) && /\/(?:pages|phone)-/.test(importer))

/** Phones have a build of their own, so that neither device loads what only the other needs. */
export default defineConfig(({ mode }) => {
  const phone = mode === 'phone'
  const groups = phone ? [phoneChunk, ...phoneParts] : [...startChunks, pageChunk, frameChunk, listChunk]
  return {
    root,
    plugins: [
      react(),
      tailwindcss(),
      font(),
      documents(),
      head(),
      noUnused(),
      pagePaths(),
      smallStart(),
      brotli(),
      ...(phone ? [phoneKit(root), phoneApp(root)] : []),
    ],
    publicDir: false,
    resolve: { alias: ownStore },
    build: {
      target: 'es2023',
      outDir: 'dist',
      emptyOutDir: !phone,
      manifest: true,
      // Data URIs would need an exception in the content security policy; hashed files are cached forever.
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_url, files, { hostType, hostId }) =>
          hostType === 'html'
            ? files
            : files.filter(file => (phone ? spared(file, hostId) : !/\/rolldown-runtime-/.test(file))),
      },
      rolldownOptions: {
        input: pageInputs(root, phone),
        output: { codeSplitting: { groups } },
      },
    },
    server: { proxy: { '/api': server, '/docs': server, '^/sandbox/': server, '/uploads': server } },
  }
})
