import { readFileSync } from 'node:fs'
import { btcpayPermissionsOf, parseShopOrigin } from '@coffer/contract/codes/shops.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { listEnabledAssets } from '../../chains/assets.ts'
import { payScript, serveScript } from '../../payments/embed/embed.ts'
import { revokeCallerKey } from '../connect.ts'
import { parseJsonBody } from '../json-fields.ts'
import type { ServeShopRequest } from '../serve.ts'
import { getRequestShop } from '../shop-key.ts'
import { findShopPayment } from '../shop-payment.ts'
import type { ShopCaller } from '../use-connection.ts'
import { type CreateBtcpayHandler, toShopVisitor } from './handle.ts'
import {
  archiveInvoice,
  changeMetadata,
  createInvoice,
  invoiceChangeSchema,
  invoiceStatusSchema,
  markInvoice,
  newInvoiceSchema,
  presentInvoice,
  presentMethods,
  presentStoreMethods,
} from './invoice.ts'
import { invoiceFilterSchema, listInvoices } from './list-invoices.ts'
import { type BtcpayPermission, requireBtcpayPermission } from './permissions.ts'
import {
  createPullPayment,
  invoiceRefundSchema,
  newPullPaymentSchema,
  readPullPayment,
  refundInvoice,
} from './refund.ts'
import { mountWebhooks } from './webhook-routes.ts'

const modal = readFileSync(new URL('./modal.js', import.meta.url), 'utf8')

const otherStore = (needed: BtcpayPermission | null) =>
  new Refusal('forbidden', {
    detail: { en: 'This key belongs to another store', 'zh-CN': '该密钥属于其他店铺' },
    data: { missingPermission: needed ? `btcpay.store.${needed}` : '' },
  })

const ofStore = '/api/v1/stores/:store'

/** Mounts the calls of BTCPay's Greenfield API by which a shop creates invoices and reads them. */
export function mountBtcpay(scope: FastifyInstance, deps: Deps, serve: ServeShopRequest): void {
  const handle: CreateBtcpayHandler = (needed, work) => async (request, reply) => {
    const caller = { ...getRequestShop(request), from: toShopVisitor(request) }
    const params = request.params as Record<string, string>
    // Clients expect 403 for a store that is not the key's.
    if (params.store !== undefined && params.store !== caller.connection.id) throw otherStore(needed)
    if (needed) requireBtcpayPermission(caller, needed)
    return serve(caller, () => work(caller, params, request, reply))
  }
  scope.get('/api/v1/health', async () => ({ synchronized: true }))
  mountKey(scope, deps, handle)
  mountStore(scope, deps, handle)
  mountInvoices(scope, deps, handle)
  mountRefunds(scope, deps, handle)
  mountWebhooks(scope, deps, handle)
  for (const path of ['/api/v1/stores/*', '/api/v1/pull-payments/*'])
    scope.all(path, async () => {
      throw new Refusal('not_found')
    })
  mountAuthorize(scope, deps)
  serveScript(scope, '/modal/btcpay.js', payScript + modal)
  // Plugins build this URL of a checkout themselves.
  scope.get('/i/:invoice', (request, reply) =>
    reply.redirect(`/pay/${encodeURIComponent((request.params as { invoice: string }).invoice)}`, 302),
  )
}

const authorization = z.object({
  permissions: z
    .union([z.string(), z.array(z.string())])
    .transform(given => [given].flat().map(each => each.split(':')[0]!))
    .pipe(z.array(z.string().regex(/^[\w.]{1,80}$/)).max(40))
    .default([]),
  applicationName: z.string().max(200).default(''),
  redirect: z.string().max(500).default(''),
})

/**
 * Mounts the page by which a shop asks for a key: leads to the page of the back-office where a merchant connects it.
 * What comes from the shop is untrusted: its name is shortened, and the key can only be sent to an origin that is
 * allowed.
 */
function mountAuthorize(scope: FastifyInstance, { config }: Deps): void {
  scope.get('/api-keys/authorize', async (request, reply) => {
    const { permissions, applicationName, redirect } = authorization.parse(request.query)
    if (redirect !== '' && parseShopOrigin(redirect, config.mode === 'sandbox') === null)
      throw new Refusal('bad_url', { field: 'redirect' })
    const name = [...applicationName.replace(/[\p{C}\p{Bidi_Control}]/gu, '')].slice(0, 40).join('').trim()
    const given = { name, redirect, permissions: permissions.join(',') }
    return reply.redirect(`/connectShop?${new URLSearchParams(given)}`, 302)
  })
}

/** Mounts the calls about the server, and about the key that makes them. */
function mountKey(scope: FastifyInstance, deps: Deps, handle: CreateBtcpayHandler): void {
  scope.get(
    '/api/v1/server/info',
    handle(null, async () => ({
      version: '2.0.0',
      onion: '',
      supportedPaymentMethods: [],
      fullySynched: true,
      syncStatus: [],
    })),
  )
  scope.get(
    '/api/v1/api-keys/current',
    handle(null, async ({ connection, key }) => ({
      apiKey: key,
      label: '',
      permissions: btcpayPermissionsOf(connection.id, connection.permissions),
    })),
  )
  scope.delete(
    '/api/v1/api-keys/current',
    handle(null, async caller => {
      await revokeCallerKey(deps, caller)
      return {}
    }),
  )
}

const presentStore = ({ connection: { id, currency } }: ShopCaller) => ({
  id,
  name: id,
  website: '',
  defaultCurrency: currency,
})

/** Mounts the calls about the store of a key. */
function mountStore(scope: FastifyInstance, deps: Deps, handle: CreateBtcpayHandler): void {
  scope.get(
    '/api/v1/stores',
    handle('canviewstoresettings', async caller => [presentStore(caller)]),
  )
  scope.get(
    ofStore,
    handle('canviewstoresettings', async caller => presentStore(caller)),
  )
  scope.get(
    `${ofStore}/payment-methods`,
    handle('canviewstoresettings', async () => presentStoreMethods(await listEnabledAssets(deps.pool))),
  )
}

async function findInvoice(deps: Deps, caller: ShopCaller, { invoice = '' }: Record<string, string>) {
  const payment = await findShopPayment(deps, caller, { tradeNo: invoice })
  if (!payment) throw new Refusal('transaction_not_exist')
  return payment
}

/** Mounts the calls that create, list, read and change invoices. */
function mountInvoices(scope: FastifyInstance, deps: Deps, handle: CreateBtcpayHandler): void {
  const find = (caller: ShopCaller, params: Record<string, string>) => findInvoice(deps, caller, params)
  scope.get(
    `${ofStore}/invoices`,
    handle('canviewinvoices', (caller, _params, request) =>
      listInvoices(deps, caller, invoiceFilterSchema.parse(request.query)),
    ),
  )
  scope.post(
    `${ofStore}/invoices`,
    handle('cancreateinvoice', async (caller, _params, request) =>
      presentInvoice(await createInvoice(deps, caller, newInvoiceSchema.parse(parseJsonBody(request)))),
    ),
  )
  scope.get(
    `${ofStore}/invoices/:invoice`,
    handle('canviewinvoices', async (caller, params) => presentInvoice(await find(caller, params))),
  )
  scope.put(
    `${ofStore}/invoices/:invoice`,
    handle('canmodifyinvoices', async (caller, params, request) => {
      await changeMetadata(deps, caller, await find(caller, params), invoiceChangeSchema.parse(parseJsonBody(request)))
      return presentInvoice(await find(caller, params))
    }),
  )
  scope.delete(
    `${ofStore}/invoices/:invoice`,
    handle('canmodifyinvoices', async (caller, params) => {
      await archiveInvoice(deps, caller, await find(caller, params), true)
      return {}
    }),
  )
  scope.post(
    `${ofStore}/invoices/:invoice/unarchive`,
    handle('canmodifyinvoices', async (caller, params) => {
      await archiveInvoice(deps, caller, await find(caller, params), false)
      return presentInvoice(await find(caller, params))
    }),
  )
  scope.get(
    `${ofStore}/invoices/:invoice/payment-methods`,
    handle('canviewinvoices', async (caller, params) => presentMethods(await find(caller, params))),
  )
  scope.post(
    `${ofStore}/invoices/:invoice/status`,
    handle('canmodifyinvoices', async (caller, params, request) => {
      await markInvoice(deps, await find(caller, params), invoiceStatusSchema.parse(parseJsonBody(request)).status)
      return presentInvoice(await find(caller, params))
    }),
  )
}

/** Mounts the calls that give an invoice, or an amount of the store, back to its payer. */
function mountRefunds(scope: FastifyInstance, deps: Deps, handle: CreateBtcpayHandler): void {
  const refunds = 'cancreatenonapprovedpullpayments'
  scope.post(
    `${ofStore}/invoices/:invoice/refund`,
    handle(refunds, async (caller, params, request) =>
      refundInvoice(
        deps,
        caller,
        await findInvoice(deps, caller, params),
        invoiceRefundSchema.parse(parseJsonBody(request)),
      ),
    ),
  )
  scope.post(
    `${ofStore}/pull-payments`,
    handle(refunds, (caller, _params, request) =>
      createPullPayment(deps, caller, newPullPaymentSchema.parse(parseJsonBody(request))),
    ),
  )
  scope.get(
    '/api/v1/pull-payments/:pull',
    handle(refunds, (caller, params) => readPullPayment(deps, caller, params.pull!)),
  )
}
