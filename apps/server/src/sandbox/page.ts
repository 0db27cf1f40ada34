import { formatDecimal } from '@coffer/contract'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { isCleanText } from '@coffer/contract/kit/texts.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { listMerchants, merchantByMchid } from '../domains/merchants/store.ts'
import { approveMerchant, refuseMerchant } from '../domains/onboarding/review-merchant.ts'
import { addOperator } from '../domains/operators/invitations.ts'
import { openOperatorSession } from '../domains/operators/sessions.ts'
import { operatorByEmail } from '../domains/operators/store.ts'
import { all } from '../kit/db.ts'
import { Refusal } from '../kit/refusal.ts'
import { serveFile } from './files.ts'
import type { SandboxInbox } from './inbox.ts'

const inboxQuery = z.object({ to: z.string().max(254).optional() })
const reviewBody = z.strictObject({
  mchid: z.string().max(20),
  decision: z.enum(['approve', 'refuse']),
  reason: z.string().max(200).refine(isCleanText).default(''),
})

/**
 * What the page /sandbox reads and does (`apps/web/src/sandbox`): the mailbox, the operator's decisions, open payments.
 */
export function mountSandboxPage(app: FastifyInstance, deps: Deps, inbox: SandboxInbox): void {
  serveFile(app, '/sandbox/page.css', 'page.css')

  app.get('/sandbox/inbox', async request => {
    const list = inbox.list(inboxQuery.parse(request.query).to)
    return { code: 200, data: { list, total: list.length } }
  })

  app.get('/sandbox/merchants', async () => {
    const rows = await listMerchants(deps.pool, ['primary_audit', 'advanced_audit'])
    const list = rows.map(({ mchid, name, email, status, created_at }) => ({ mchid, name, email, status, created_at }))
    return { code: 200, data: { list, total: list.length } }
  })

  app.post('/sandbox/merchants', async request => {
    const { mchid, decision, reason } = reviewBody.parse(request.body)
    const merchant = await merchantByMchid(deps.pool, mchid)
    if (!merchant) throw new Refusal('merchant_not_exist')
    if (decision === 'approve') await approveMerchant(deps, { merchantId: merchant.id })
    else await refuseMerchant(deps, { merchantId: merchant.id, reason })
    return { code: 200, data: {} }
  })

  app.get('/sandbox/payments', async () => {
    const list = await waitingPayments(deps)
    return { code: 200, data: { list, total: list.length } }
  })
}

/** The operator whom the page /sandbox signs in. */
const sandboxOperator = 'operator@coffer.example'
/** How long a session of the sandbox needs no fresh code (s). */
const freshFor = 10 * 3600

/**
 * Opens the operator's console, signed in: the page /sandbox requests its address, and the console a session.
 * Production has none of these routes.
 */
export function mountSandboxConsoleSignIn(console: FastifyInstance, deps: Deps): void {
  console.post('/sandbox/enter', async request => {
    const known = await operatorByEmail(deps.pool, sandboxOperator)
    const id = known?.id ?? (await addOperator(deps, { email: sandboxOperator, role: 'owner' })).id
    const from = { ip: request.ip, device: String(request.headers['user-agent'] ?? '') }
    return { code: 200, data: { token: await openOperatorSession(deps, deps.pool, id, from, { freshFor }) } }
  })
}

/** Reports to the page /sandbox where the console listens. */
export function mountConsoleLink(app: FastifyInstance, console: () => FastifyInstance | undefined): void {
  app.get('/sandbox/console', async request => {
    const address = console()?.server.address()
    if (!address || typeof address === 'string') throw new Refusal('not_found')
    return { code: 200, data: { url: `http://${request.hostname}:${address.port}/#sandbox` } }
  })
}

/** Reports the extended public key from which addresses derive, for developers who verify them (`COFFER_XPUB_EVM`). */
export function mountAccountKey(app: FastifyInstance, xpub: string): void {
  app.get('/sandbox/account-key', async () => ({ code: 200, data: { xpub } }))
}

const openPayments = all(
  'sandbox-payments',
  `select p.trade_no, p.subject, c.definition->>'name' as chain, a.symbol as token, a.decimals,
          greatest(p.amount - p.paid_amount - p.pending_amount, 0) as rest
   from payments p join assets a on a.id = p.asset_id join chains c on c.id = p.chain_id
   where p.status = ${paymentStatus.open} and p.address is not null and p.expire_at > $1
   order by p.created_at desc limit 10`,
)

/** The newest unpaid payments that have a deposit address. */
async function waitingPayments(deps: Deps) {
  const rows = await openPayments(deps.pool, deps.clock())
  return rows.map(({ rest, decimals, ...row }) => ({ ...row, amount: formatDecimal(rest, decimals) }))
}
