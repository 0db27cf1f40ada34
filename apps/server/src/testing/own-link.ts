import { createPaymentLink } from '../domains/payment-links/create-payment-link.ts'
import { visitor } from './merchants.ts'
import type { MoneyWorld } from './money.ts'

/** Creates a payment link of the application of a world. */
export async function ownLink({ deps, merchant, appid }: MoneyWorld): Promise<{ id: string; token: string }> {
  const amounts = { currency: 'USDT', amount: '', min_amount: '', max_amount: '' }
  const link = { title: 'own link', ...amounts, once: false, expire_time: 0, appid }
  return createPaymentLink(deps, { merchantId: merchant.id, link, from: visitor })
}

/** Valid requests for the calls of payment links. */
export const linkRequests = ({ id, token }: { id: string; token: string }, appid: string) => ({
  'GET /api/v1/payment-link': { query: { text: 'own' } },
  'POST /api/v1/payment-link': { body: { title: 'New link', amount: '5', appid } },
  'POST /api/v1/payment-link/disable': { body: { id } },
  'GET /api/v1/public/payment-link/:token': { params: { token } },
  'POST /api/v1/public/payment-link/:token': { params: { token }, body: { amount: '5' } },
  'POST /api/v1/pay/links': { body: { title: 'New link', amount: '5' } },
  'GET /api/v1/pay/links/:id': { params: { id } },
  'POST /api/v1/pay/links/:id/close': { params: { id } },
})
