import { limits, type RouteDefinition, routes } from '@coffer/contract'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'

/**
 * What the server asks of a request before its handler sees it, and how it answers. Every route has a row in one of the
 * two tables at the end of this file; `wall.ts` carries the rows out, and ends the start where a route has none.
 */
export interface RoutePolicy {
  /**
   * Who may call. `pending`: a sign-in that awaits its second factor. `signature`: a shop that signs each request.
   * `shop`: one that sends its key. `holder`: who knows a number or token in the path. `metrics`: who has the token of
   * COFFER_METRICS_TOKEN. `machine`: what runs on this one, in the sandbox.
   */
  who: 'anybody' | 'holder' | 'merchant' | 'pending' | 'key' | 'signature' | 'shop' | 'operator' | 'metrics' | 'machine'
  /** Most bytes of a body. */
  body: number
  /**
   * Whose places it takes while it is handled: those of a kind of strangers, by their network, or those of its caller.
   */
  share: 'caller' | 'payers' | 'shops' | 'strangers' | 'none'
  /** The form of a refusal. */
  refusal: 'envelope' | 'page' | 'epay' | 'epusdt' | 'greenfield' | 'coinbase' | 'mcp'
  /** Who may show it in a frame: nobody, or pages of the origins that its application allows. */
  framed: 'never' | 'by allowed origins'
  /** How long others may keep an answer that is no refusal. `revalidated`: not without asking again. */
  cached: 'never' | 'revalidated' | 'minutes' | 'day' | 'for ever'
  /** A contract says what its fields are, and refuses others by name. */
  hasContract?: true
  /** Of the sandbox: production has no such route. */
  sandbox?: true
}

export type RoutePolicies = Record<string, RoutePolicy>

const small = limits.publicBodyBytesMax
const call: RoutePolicy = {
  who: 'anybody',
  body: small,
  share: 'strangers',
  refusal: 'envelope',
  framed: 'never',
  cached: 'never',
}
/** What is the same for everybody, in memory or on disk. */
const file: RoutePolicy = { ...call, share: 'none', cached: 'revalidated' }
const page: RoutePolicy = { ...file, refusal: 'page' }
const epay: RoutePolicy = { ...call, who: 'signature', share: 'shops', refusal: 'epay' }
const epusdt: RoutePolicy = { ...call, who: 'signature', share: 'shops', refusal: 'epusdt' }
/** A shop that is known by its key before its body is read. */
const keyed: RoutePolicy = { ...call, who: 'shop', body: limits.shopBodyBytesMax, share: 'shops' }
const greenfield: RoutePolicy = { ...keyed, refusal: 'greenfield' }
const coinbase: RoutePolicy = { ...keyed, refusal: 'coinbase' }
const toShop: RoutePolicy = { ...call, who: 'holder', share: 'payers', refusal: 'page' }

const at = (methods: string, paths: string[], door: RoutePolicy): RoutePolicies =>
  Object.fromEntries(paths.flatMap(path => methods.split(' ').map(method => [`${method} ${path}`, door])))

/** Adds a path before each of the others. */
const below = (starts: string[], paths: string[]) => starts.flatMap(start => paths.map(path => start + path))

const payers = /\/(?:checkout|payment-link|refund-claim)(?:\/|$)/

/** The rows of calls of a contract, which says most of it. */
const ofContract = (table: Record<string, RouteDefinition>, signedIn: 'merchant' | 'operator'): RoutePolicies =>
  Object.fromEntries(
    Object.entries(table).map(([key, { auth, endsToken, kind }]) => {
      const isOpen = auth === 'public' || auth === 'pending'
      // Streams and exports hold no connection of the database while they last, and have limits of their own.
      const share = kind === 'events' || kind === 'file' ? 'none' : payers.test(key) ? 'payers' : 'strangers'
      const who = auth === 'public' ? 'anybody' : auth === 'token' ? signedIn : auth
      const body = isOpen || endsToken ? small : kind === 'multipart' ? 2 * limits.imageBytesMax : limits.bodyBytesMax
      return [key, { ...call, who, body, share: isOpen ? share : 'caller', hasContract: true }]
    }),
  )

/** The paths before EPay's, since plugins append theirs to whatever URL they were given. */
const epayStarts = ['', '/', '/payments/epay/v1/order/create-transaction']

const shopDoors: RoutePolicies = {
  ...at('GET POST', below(epayStarts, ['/submit.php', '/api/pay/submit']), { ...epay, refusal: 'page' }),
  ...at(
    'GET POST',
    below(epayStarts, [
      '/mapi.php',
      '/api.php',
      '/api/pay/create',
      '/api/pay/query',
      '/api/pay/close',
      '/api/merchant/info',
      '/api/merchant/orders',
    ]),
    epay,
  ),
  ...at(
    'POST',
    below(
      ['', '/shop/:shop'],
      [
        ...['create-transaction', 'create-order', 'cancel-transaction'].map(name => `/api/v1/order/${name}`),
        ...['epusdt', 'gmpay'].map(name => `/payments/${name}/v1/order/create-transaction`),
      ],
    ),
    epusdt,
  ),
  ...at('GET', below(['', '/shop/:shop'], ['/pay/checkout-counter/:trade']), toShop),
  ...at('POST', below(['/shop/:shop/api/v1/pay'], ['/methods', '/update-order']), { ...epusdt, who: 'holder' }),
  ...at('GET', below(['/shop/:shop'], ['/pay/check-status/:trade', '/api/v1/order/check-status/:trade']), {
    ...epusdt,
    who: 'holder',
  }),
  'GET /api/v1/health': { ...greenfield, who: 'anybody', body: small, share: 'none' },
  'GET /api/v1/server/info': greenfield,
  ...at('GET DELETE', ['/api/v1/api-keys/current'], greenfield),
  ...at('GET', ['/api/v1/stores', '/api/v1/stores/:store', '/api/v1/stores/:store/payment-methods'], greenfield),
  ...at('GET POST', below(['/api/v1/stores/:store'], ['/invoices', '/webhooks']), greenfield),
  ...at('GET PUT DELETE', ['/api/v1/stores/:store/invoices/:invoice'], greenfield),
  'GET /api/v1/stores/:store/invoices/:invoice/payment-methods': greenfield,
  ...at('POST', below(['/api/v1/stores/:store/invoices/:invoice'], ['/status', '/refund', '/unarchive']), greenfield),
  'POST /api/v1/stores/:store/pull-payments': greenfield,
  'GET /api/v1/pull-payments/:pull': greenfield,
  ...at('GET PUT DELETE', ['/api/v1/stores/:store/webhooks/:webhook'], greenfield),
  ...at(
    'GET',
    below(['/api/v1/stores/:store/webhooks/:webhook/deliveries'], ['', '/:delivery', '/:delivery/request']),
    greenfield,
  ),
  'POST /api/v1/stores/:store/webhooks/:webhook/deliveries/:delivery/redeliver': greenfield,
  // What clients ask for and Coffer has not, in their own words.
  ...at('ANY', ['/api/v1/stores/*', '/api/v1/pull-payments/*'], {
    ...greenfield,
    who: 'anybody',
    body: small,
    share: 'none',
  }),
  'GET /api-keys/authorize': { ...toShop, who: 'anybody', share: 'none' },
  'GET /modal/btcpay.js': { ...file, cached: 'minutes' },
  'GET /i/:invoice': { ...toShop, share: 'none' },
  ...at('GET POST', ['/charges', '/charges/'], coinbase),
  ...at('GET', ['/charges/:id', '/checkouts'], coinbase),
  'GET /shop-return': toShop,
}

const payerPages: RoutePolicies = {
  ...at('GET', ['/pay/:trade_no', '/l/:token'], {
    ...page,
    who: 'holder',
    share: 'payers',
    framed: 'by allowed origins',
  }),
  ...at('GET', ['/refund/:token', '/approve'], { ...page, who: 'holder' }),
  'GET /pay.js': { ...file, cached: 'minutes' },
}

const documentation: RoutePolicies = {
  ...at('GET', ['/docs', '/docs.md', '/docs/:page.md', '/llms.txt', '/api/v1/openapi.json', '/docs/bruno.json'], file),
  'GET /docs/coffer-sdk.tgz': file,
  ...at('GET', ['/docs/docs.css', '/docs/parts.css', '/docs/docs.js', '/docs/inter.woff2'], {
    ...file,
    cached: 'minutes',
  }),
  // Archives of the client: lock files of shops hold their hashes.
  'GET /docs/*': { ...file, cached: 'for ever' },
  // Without a key it reads the documentation only.
  'POST /mcp': { ...call, refusal: 'mcp' },
}

const proofs: RoutePolicies = {
  'GET /proof': page,
  ...at('GET', ['/proof/check.html', '/proof/format.md'], file),
  ...at('GET', ['/proof/latest.json', '/proof/index.json'], { ...file, share: 'strangers' }),
  'GET /proof/:file': { ...file, share: 'strangers', cached: 'for ever' },
}

const machine: RoutePolicy = { ...call, who: 'machine', share: 'none', sandbox: true }
const sandbox: RoutePolicies = {
  'GET /sandbox': { ...page, sandbox: true },
  ...at(
    'POST',
    below(['/sandbox'], ['/pay', '/mine', '/reorg', '/reverse', '/clock', '/expire', '/merchants', '/scenarios']),
    machine,
  ),
  ...at('POST', ['/sandbox/relay/:token', '/sandbox/sign-in/:uid'], machine),
  ...at(
    'GET',
    below(['/sandbox'], ['/inbox', '/merchants', '/payments', '/console', '/account-key', '/wallet']),
    machine,
  ),
  ...at('GET', ['/sandbox/transactions/:txid', '/sandbox/scenarios/:id'], machine),
  ...at('GET', ['/sandbox/page.css', '/sandbox/sign-in/:uid', '/sandbox/sign-in.js'], {
    ...machine,
    cached: 'revalidated',
  }),
  ...at('GET', ['/sandbox/oidc/client.js', '/sandbox/oidc/done', '/sandbox/oidc/done.js'], {
    ...machine,
    cached: 'revalidated',
  }),
  'ANY /sandbox/oidc/*': machine,
}

const built: RoutePolicies = {
  'GET /assets/*': { ...file, cached: 'for ever' },
  'GET /logos/*': { ...file, cached: 'day' },
}

/** Routes of the port of merchants and payers. `ANY` is any method, a star at the end any path below. */
export const publicRoutePolicies: RoutePolicies = {
  ...ofContract(routes, 'merchant'),
  ...shopDoors,
  ...payerPages,
  ...documentation,
  ...proofs,
  ...at('GET', ['/healthz', '/readyz'], { ...call, share: 'none' }),
  'GET /metrics': { ...call, who: 'metrics', share: 'none' },
  'GET /uploads/:name': { ...file, share: 'strangers', cached: 'for ever' },
  ...at('GET', ['/login', '/m/login'], page),
  ...built,
  'GET /m/*': file,
  ...sandbox,
}

/** Routes of the port of the operator's console. */
export const consoleRoutePolicies: RoutePolicies = {
  ...ofContract(operatorRoutes, 'operator'),
  ...built,
  'GET /worker.js': file,
  'POST /sandbox/enter': machine,
}

/** The row of a route. HEAD is a GET without its body. */
export function findRoutePolicy(doors: RoutePolicies, method: string, url: string): RoutePolicy | undefined {
  const served = method === 'HEAD' ? 'GET' : method
  const own = doors[`${served} ${url}`] ?? doors[`ANY ${url}`]
  if (own) return own
  const key = Object.keys(doors).find(
    each => each.startsWith(`${served} /`) && each.endsWith('/*') && url.startsWith(each.slice(served.length + 1, -1)),
  )
  return key === undefined ? undefined : doors[key]
}
