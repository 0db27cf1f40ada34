import { addEndpoint } from '../domains/applications/endpoints.ts'
import { visitor } from './merchants.ts'
import type { MoneyWorld } from './money.ts'

/** Adds a webhook endpoint to the application of a world. Returns its id. */
export async function ownEndpoint({ deps, merchant, appid }: MoneyWorld): Promise<string> {
  const of = { merchantId: merchant.id, appid, from: visitor }
  return (await addEndpoint(deps, { ...of, url: 'https://shop.example/hook', description: 'own endpoint' })).row.id
}

/** Valid requests for the calls of webhook endpoints. */
export const endpointRequests = (appid: string, id: string) => ({
  'GET /api/v1/user/webhook-endpoint/list': { query: { appid } },
  'POST /api/v1/user/webhook-endpoint': { body: { appid, url: 'https://shop.example/hook/3' } },
  'PUT /api/v1/user/webhook-endpoint': { body: { appid, id, url: 'https://shop.example/hook/4', enabled: false } },
  'PUT /api/v1/user/webhook-endpoint/secret': { body: { appid, id, keep_seconds: 3_600 } },
  'POST /api/v1/user/webhook-endpoint/test': { body: { appid, id } },
  'DELETE /api/v1/user/webhook-endpoint': { body: { appid, id } },
  'POST /api/v1/pay/webhook-endpoints': { body: { url: 'https://shop.example/hook/2', events: ['payment.paid'] } },
  'POST /api/v1/pay/webhook-endpoints/:id': { params: { id }, body: { enabled: false } },
  'POST /api/v1/pay/webhook-endpoints/:id/renew': { params: { id }, body: { keep_seconds: 0 } },
  'POST /api/v1/pay/webhook-endpoints/:id/test': { params: { id } },
  'POST /api/v1/pay/webhook-endpoints/:id/remove': { params: { id } },
})
