import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseShopOrigin } from '@coffer/contract/codes/shops.ts'
import { isPhoneAgent } from '@coffer/contract/kit/device.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { AnswerUnknown } from './unknown-paths.ts'

export const webDistPath = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const consoleDist = join(webDistPath, 'operator')

/** Returns the origin if it may frame the checkout of a payment or payment link, else null. */
export type FindEmbedderOrigin = (
  c: Deps['pool'],
  of: { tradeNo: string } | { linkToken: string },
  origin: unknown,
) => Promise<string | null>

const base = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'manifest-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
}

type PageName =
  | 'index'
  | 'phone'
  | 'login'
  | 'pay'
  | 'pay-link'
  | 'refund'
  | 'approve'
  | 'proof'
  | 'sandbox'
  | 'operator'

/**
 * The Content-Security-Policy of a page. Only the login page allows the script and popup of the third-party sign-in,
 * and only the page that connects a shop may send a form elsewhere: to the shop that asks. Only a checkout may stand in
 * a frame: of the origin `framedBy`.
 */
export function contentSecurityPolicy(
  page: PageName,
  signInScript?: string,
  { formsTo, framedBy }: { formsTo?: string | null; framedBy?: string | null } = {},
): string {
  const policy: Record<string, string> = { ...base }
  if (framedBy) policy['frame-ancestors'] = framedBy
  if (formsTo) policy['form-action'] += ` ${formsTo}`
  if (page === 'login' && signInScript?.startsWith('https://')) {
    const { origin } = new URL(signInScript)
    policy['script-src'] += ` ${signInScript}`
    policy['connect-src'] += ` ${origin}`
    policy['frame-src'] = origin
  }
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

/**
 * Leads from the pages of phones to those of desktops, or back. One slash only: two, or a backslash for one, name
 * another server.
 */
export const otherDevicePath = (url: string, underM: boolean): string =>
  underM ? url.replace(/^\/m[/\\]*/, '/') : `/m${url.replace(/^[/\\]+/, '/')}`

/**
 * Serves the built pages: /login, /pay/<trade_no>, /l/<token>, /refund/<token>, /approve, /proof, /sandbox, and
 * the back-office for everything else. Hashed assets never expire.
 */
export async function serveWeb(
  app: FastifyInstance,
  deps: Deps,
  answerUnknown: AnswerUnknown,
  embedderOf: FindEmbedderOrigin,
): Promise<void> {
  const built = await serveFiles(app, deps, webDistPath, file => file.startsWith('operator/'))
  const page = (
    reply: FastifyReply,
    name: PageName,
    more: { formsTo?: string | null; framedBy?: string | null } = {},
  ) =>
    reply
      .header('content-security-policy', contentSecurityPolicy(name, deps.signIn?.scriptUrl, more))
      .header('cross-origin-opener-policy', name === 'login' ? 'same-origin-allow-popups' : 'same-origin')
      .sendFile(`${name}.html`)

  /** Phones have their pages under /m. The address keeps its query. */
  const devicePage = (request: FastifyRequest, reply: FastifyReply, login = false) => {
    const { url } = request
    const underM = /^\/m(?:[/?]|$)/.test(url)
    reply.header('vary', 'user-agent')
    if (underM === isPhoneAgent(request.headers['user-agent'] ?? ''))
      return page(reply, login ? 'login' : underM ? 'phone' : 'index', {
        formsTo: login ? null : shopThatAsks(url, deps),
      })
    return reply.redirect(otherDevicePath(url, underM))
  }

  for (const path of ['/login', '/m/login']) app.get(path, (request, reply) => devicePage(request, reply, true))
  /** A checkout. A page that wants to frame it names itself, and learns by CORS whether it may. */
  const checkout = async (
    reply: FastifyReply,
    name: PageName,
    of: Parameters<FindEmbedderOrigin>[1],
    embed: unknown,
  ) => {
    const framedBy = await embedderOf(deps.pool, of, embed)
    if (framedBy)
      reply
        .removeHeader('x-frame-options')
        .headers({ 'access-control-allow-origin': framedBy, 'cache-control': 'no-store' })
    return page(reply, name, { framedBy })
  }
  type Embedded = { Querystring: { embed?: unknown } }
  app.get<Embedded & { Params: { trade_no: string } }>('/pay/:trade_no', ({ params, query }, reply) =>
    checkout(reply, 'pay', { tradeNo: params.trade_no }, query.embed),
  )
  app.get<Embedded & { Params: { token: string } }>('/l/:token', ({ params, query }, reply) =>
    checkout(reply, 'pay-link', { linkToken: params.token }, query.embed),
  )
  app.get('/refund/:token', (_request, reply) => page(reply, 'refund'))
  app.get('/approve', (_request, reply) => page(reply, 'approve'))
  app.get('/proof', (_request, reply) => page(reply, 'proof'))
  // Opened from a disk, so that nothing of this server runs in it but what was read.
  app.get('/proof/check.html', (_request, reply) =>
    reply.header('content-disposition', 'attachment; filename="coffer-proof-check.html"').sendFile('proof-check.html'),
  )
  if (deps.config.mode === 'sandbox') app.get('/sandbox', (_request, reply) => page(reply, 'sandbox'))
  app.setNotFoundHandler((request, reply) => {
    if (built && wantsPage(request) && !/^\/(?:api|sandbox|assets|uploads)\//.test(request.url))
      return answerUnknown(request, reply.header('cache-control', 'no-cache'), devicePage)
    return answerUnknown(request, reply)
  })
}

const wantsPage = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && String(headers.accept ?? '').includes('text/html')

/** The origin of the shop that asks for a key, on the page that connects it. */
function shopThatAsks(url: string, { config }: Deps): string | null {
  const [path, query] = url.split('?')
  if (!/^(?:\/m)?\/connectShop$/.test(path!)) return null
  return parseShopOrigin(new URLSearchParams(query).get('redirect') ?? '', config.mode === 'sandbox')
}

/** Serves the page of the operator's console at its paths, and at unknown ones to browsers, which say so on a page. */
export async function serveConsole(app: FastifyInstance, deps: Deps, answerUnknown: AnswerUnknown): Promise<void> {
  const built = await serveFiles(app, deps, consoleDist)
  const page = (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', contentSecurityPolicy('operator'))
      .header('cross-origin-opener-policy', 'same-origin')
      .sendFile('operator.html')
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    if (built && request.method === 'GET' && isPageOfConsole(path)) return page(request, reply)
    const isOpened = built && wantsPage(request) && !/^\/(?:api|assets)\//.test(path)
    return answerUnknown(request, reply, isOpened ? page : undefined)
  })
}

const pagesOfConsole = new Set([
  'incidents',
  'merchants',
  'payments',
  'search',
  'withdrawals',
  'money',
  'chains',
  'queues',
  'operators',
  'log',
  'orders',
  'announcements',
  'refunds',
])

function isPageOfConsole(path: string): boolean {
  const [, page = '', id = '-', ...more] = path.split('/')
  return path === '/' || (pagesOfConsole.has(page) && /^[\w-]+$/.test(id) && more.length === 0)
}

/** Serves the built files but pages, which have routes that set their policies. Returns whether there are any. */
async function serveFiles(
  app: FastifyInstance,
  { config }: Deps,
  root: string,
  isOther: (file: string) => boolean = () => false,
): Promise<boolean> {
  if (!existsSync(root)) return false
  await app.register(fastifyStatic, {
    root,
    serve: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // What a service worker loads is subject to the policy of its own file.
      if (/\/worker\.js(?:\.br)?$/.test(path))
        reply.header('content-security-policy', "default-src 'none'; connect-src 'self'")
      // It has its few styles within, as no other file may be there without a connection.
      if (/\/offline\.html(?:\.br)?$/.test(path))
        reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    },
  })
  // What acts for mailbox, operator and payer, and the page of the sandbox, exist in the sandbox alone.
  const isActing = (file: string) => config.mode !== 'sandbox' && /^assets\/(?:inSandbox|sandbox)-/.test(file)
  const isLeft = (file: string) => /^\.|\.br$|^[^/]*\.html$/.test(file) || isActing(file) || isOther(file)
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => relative(root, join(each.parentPath, each.name)))
    .filter(file => !isLeft(file))
  const assets = new Set(files.filter(file => file.startsWith('assets/')))
  // One route for all of them: hundreds would take most of the time in which a server starts.
  app.get<{ Params: { file: string } }>('/assets/:file', ({ params }, reply) => {
    const file = `assets/${params.file}`
    return assets.has(file) ? reply.sendFile(file) : reply.callNotFound()
  })
  for (const file of files.filter(each => !assets.has(each)))
    app.get(`/${file}`, (_request, reply) => reply.sendFile(file))
  return true
}
