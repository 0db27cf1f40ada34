/**
 * Allowed imports within one folder of product code. Each row is a folder or a file, which may import itself and the
 * listed rows. The folder may contain nothing else.
 */
type Table = { folder: string; rows: Record<string, string[]> }

/** Tests and test helpers. Only the rule about tools restricts their imports. */
export const forTests = /\.(?:test|fixture)\.tsx?$|\/testing\//

export const tables: Table[] = [
  {
    folder: '',
    rows: {
      'packages/contract': [],
      'packages/core/src/proof': [],
      'packages/core': ['packages/core/src/proof'],
      'packages/local': [],
      'packages/chains': ['packages/core'],
      'packages/sdk': ['packages/contract'],
      'apps/server': ['packages/contract', 'packages/core', 'packages/chains', 'packages/local'],
      'apps/web': ['packages/contract', 'packages/core/src/proof'],
    },
  },
  {
    folder: 'apps/server/src/',
    rows: {
      kit: [],
      config: [],
      migrations: [],
      signer: ['kit'],
      outside: ['kit', 'config'],
      deps: ['kit', 'config', 'signer', 'outside'],
      owner: ['kit', 'signer'],
      'callback-form': ['deps'],
      http: ['kit', 'outside', 'deps'],
      domain: ['kit', 'deps', 'http', 'owner', 'callback-form'],
      domains: ['kit', 'signer', 'outside', 'deps', 'http', 'owner', 'callback-form', 'domain'],
      'column-types': ['kit', 'owner', 'signer', 'domains'],
      generated: ['kit', 'column-types'],
      'make-deps': ['kit', 'config', 'migrations', 'signer', 'outside', 'deps'],
      serve: ['kit', 'outside', 'deps', 'http', 'owner', 'callback-form', 'domain', 'domains'],
      backup: ['kit', 'migrations', 'domains'],
      cli: ['kit', 'config', 'migrations', 'signer', 'outside', 'http', 'deps', 'domains', 'make-deps', 'backup'],
      sandbox: ['kit', 'config', 'migrations', 'signer', 'outside', 'deps', 'owner', 'domains', 'make-deps', 'serve'],
      main: ['kit', 'config', 'migrations', 'outside', 'domains', 'make-deps', 'serve', 'sandbox'],
    },
  },
  {
    folder: 'apps/server/src/domains/',
    rows: {
      installation: ['chains'],
      backups: ['chains'],
      notifications: [],
      pictures: [],
      prices: [],
      chains: ['prices'],
      audit: ['chains'],
      people: [],
      merchants: ['notifications', 'people'],
      addresses: ['chains', 'merchants'],
      'address-book': ['chains', 'destinations', 'identity', 'merchants', 'policies', 'withdrawals'],
      ledger: ['addresses', 'chains'],
      proof: ['chains', 'ledger'],
      'fund-flow': ['merchants'],
      billing: ['fund-flow', 'merchants'],
      'work-orders': ['merchants', 'notifications', 'pictures'],
      outgoing: ['chains', 'ledger'],
      sweeps: ['chains', 'merchants', 'outgoing'],
      identity: ['chains', 'merchants', 'notifications', 'people'],
      members: ['applications', 'identity', 'merchants', 'notifications', 'people'],
      policies: ['identity', 'merchants', 'people'],
      destinations: ['chains'],
      applications: ['identity', 'merchants', 'pictures', 'prices'],
      transfers: ['chains', 'identity', 'ledger', 'merchants', 'notifications', 'policies', 'prices', 'withdrawals'],
      onboarding: ['applications', 'identity', 'ledger', 'merchants', 'people', 'policies', 'prices', 'work-orders'],
      callbacks: ['applications', 'chains'],
      statistics: ['applications', 'chains', 'ledger', 'prices'],
      withdrawals: [
        'callbacks',
        'chains',
        'destinations',
        'identity',
        'ledger',
        'merchants',
        'notifications',
        'outgoing',
        'people',
        'policies',
        'prices',
        'statistics',
      ],
      approvals: ['destinations', 'identity', 'merchants', 'people', 'policies', 'withdrawals'],
      payments: [
        'addresses',
        'applications',
        'callbacks',
        'chains',
        'identity',
        'ledger',
        'merchants',
        'notifications',
        'prices',
        'statistics',
      ],
      'payment-links': ['applications', 'merchants', 'payments'],
      'shop-protocols': [
        'applications',
        'callbacks',
        'chains',
        'identity',
        'merchants',
        'payments',
        'prices',
        'refunds',
        'withdrawals',
      ],
      refunds: [
        'callbacks',
        'chains',
        'destinations',
        'identity',
        'ledger',
        'merchants',
        'notifications',
        'outgoing',
        'payments',
        'policies',
        'prices',
        'statistics',
        'withdrawals',
      ],
      operators: ['identity', 'notifications', 'people'],
      console: [
        'backups',
        'applications',
        'payments',
        'billing',
        'callbacks',
        'chains',
        'deposits',
        'identity',
        'ledger',
        'merchants',
        'notifications',
        'onboarding',
        'operators',
        'people',
        'pictures',
        'work-orders',
        'outgoing',
        'prices',
        'refunds',
        'sweeps',
        'withdrawals',
        'policies',
      ],
      recharges: ['addresses', 'callbacks', 'merchants', 'payments'],
      deposits: [
        'addresses',
        'chains',
        'destinations',
        'ledger',
        'merchants',
        'notifications',
        'outgoing',
        'payments',
        'recharges',
        'statistics',
        'sweeps',
        'withdrawals',
      ],
    },
  },
  {
    folder: 'apps/web/src/',
    rows: {
      lib: [],
      theme: ['lib'],
      i18n: ['lib'],
      ui: ['lib', 'i18n'],
      api: ['lib', 'i18n'],
      kit: ['lib', 'theme', 'i18n', 'ui', 'api'],
      lists: ['kit'],
      features: ['lib', 'i18n', 'ui', 'api', 'kit', 'lists', 'proof'],
      visitor: ['theme', 'i18n', 'ui'],
      checkout: ['i18n', 'lib', 'ui', 'visitor'],
      links: ['i18n', 'ui', 'visitor'],
      proof: ['i18n', 'ui', 'visitor'],
      login: ['lib', 'theme', 'i18n', 'ui', 'api', 'kit'],
      operator: ['lib', 'theme', 'i18n', 'ui', 'api', 'kit', 'login'],
      sandbox: ['lib', 'theme', 'i18n', 'ui', 'api', 'kit'],
      early: ['i18n', 'api', 'routes'],
      routes: ['i18n', 'ui', 'api', 'kit', 'lists'],
      pages: ['kit', 'features', 'routes'],
      shells: ['lib', 'theme', 'i18n', 'ui', 'api', 'kit', 'lists', 'features', 'routes'],
      router: ['lib', 'kit', 'routes', 'shells'],
      start: ['lib', 'theme', 'i18n', 'ui', 'api', 'router', 'shells'],
      main: ['i18n', 'ui', 'pages', 'router', 'shells', 'start'],
      app: [],
      phone: ['app', 'lib', 'i18n', 'ui', 'api', 'kit', 'features', 'pages', 'router', 'shells', 'start'],
    },
  },
  {
    folder: 'apps/web/src/operator/',
    rows: {
      routes: [],
      kit: ['routes'],
      features: ['kit', 'routes'],
      shell: ['kit', 'routes'],
      main: ['kit', 'features', 'routes', 'shell'],
      worker: [],
    },
  },
]

/** Returns a pattern for all files of a table. */
export const covered = (folder: string) => `^${folder || '(?:packages|apps)/'}`

/** Returns a pattern for the files of some rows of a table. */
export const within = (folder: string, rows: readonly string[]) => `^${folder}(?:${rows.join('|')})(?:/|\\.[jt]sx?$)`

/** Returns a pattern for a package's import specifier or its resolved file. */
const npm = (names: string) => `(?:^|node_modules/)(?:${names})`

const product = (path: string) => ({ path, pathNot: forTests.source })

/** An import that is forbidden: by patterns of the importing file and of what it imports. */
export interface Rule {
  /** States the violation and its fix. */
  comment: string
  from: { path?: string; pathNot?: string | string[] }
  /** `$1` stands for the first group of `from.path`. Imports of types, or dynamic ones, may be allowed. */
  to: Rule['from'] & { except?: 'types' | 'dynamic' }
}

const tableRules: Rule[] = tables.flatMap(({ folder, rows }) =>
  Object.entries(rows).map(([row, others]) => ({
    comment: `${row} may import only ${others.join(', ') || 'itself'}${folder && ` of ${folder}`}: move what they share down`,
    from: product(within(folder, [row])),
    to: { path: covered(folder), pathNot: within(folder, [row, ...others]) },
  })),
)

/** Import rules. */
export const rules: Rule[] = [
  ...tableRules,
  {
    comment: 'apps and packages do not import tools, e2e or bench, in tests neither: move it to packages/local',
    from: { path: covered('') },
    to: { path: '^(?:tools|e2e|bench)/' },
  },
  {
    comment: 'only tests import what helps tests: move what the product needs out of it',
    from: product(covered('')),
    to: { path: forTests.source },
  },
  {
    comment: 'core imports nothing: pass in what it needs',
    from: product('^packages/core/'),
    to: { pathNot: covered('') },
  },
  {
    comment: 'contract imports only zod',
    from: product('^packages/contract/'),
    to: { pathNot: [covered(''), npm('zod')] },
  },
  {
    comment: 'chains takes only types from core: write "import type"',
    from: product('^packages/chains/'),
    to: { path: '^packages/core/', except: 'types' },
  },
  {
    comment: 'the web takes only types from the index of the contract: import values from their own file',
    from: product('^apps/web/'),
    to: { path: '^packages/contract/src/index.ts$', except: 'types' },
  },
  {
    comment: 'features do not import each other: move what they share to ui, api or kit',
    from: product('^apps/web/src/((?:operator/)?features)/([^/]+)/'),
    to: { path: '^apps/web/src/$1/', pathNot: '^apps/web/src/$1/$2/' },
  },
  {
    comment: 'only serve.ts imports domain.ts: import the file that declares it',
    from: product('^apps/server/src/(?!serve.ts)'),
    to: { path: '^apps/server/src/domains/[^/]+/domain.ts$' },
  },
  {
    comment: 'only apps/server/src/http uses the HTTP framework: elsewhere write "import type"',
    from: { path: '^apps/server/', pathNot: [forTests.source, '^apps/server/src/http/'] },
    to: { path: npm('@fastify/|fastify'), except: 'types' },
  },
  {
    comment: 'production never loads the sandbox: main.ts chooses it, by a dynamic import',
    from: { path: '^apps/server/src/main.ts$' },
    to: { path: '^apps/server/src/sandbox/', except: 'dynamic' },
  },
]
