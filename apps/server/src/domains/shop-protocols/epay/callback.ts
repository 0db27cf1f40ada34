import type { CallbackForm } from '../../../callback-form.ts'
import type { ShopPayment } from '../../payments/shop-order.ts'
import { saysSuccess } from '../confirms.ts'
import { connectionById } from '../store.ts'
import { paidFields } from './order.ts'

/** Adds fields to the query of a URL. */
export function withQuery(url: string, fields: Record<string, string>): string {
  const [bare = ''] = url.split('#')
  return bare + (bare.includes('?') ? '&' : '?') + new URLSearchParams(fields)
}

/** Callbacks of EPay: the signed fields in the query of the notify URL, or as a form. */
export const epayForm: CallbackForm = {
  async request(deps, { body, url }) {
    const payment = JSON.parse(body) as ShopPayment
    const connection = (await connectionById(deps.pool, payment.shop.connection))!
    const fields = paidFields(deps, connection, payment)
    const headers = { 'user-agent': 'Coffer-Callback/1' }
    if (connection.callback_method === 'GET') return { method: 'GET', url: withQuery(url, fields), headers }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', url, headers: form, body: String(new URLSearchParams(fields)) }
  },
  confirms: saysSuccess,
}
