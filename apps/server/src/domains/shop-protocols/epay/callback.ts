import type { CallbackForm } from '../../../callback-form.ts'
import { isConfirmation } from '../confirms.ts'
import { paidOrderOf } from '../shop-payment.ts'
import { paidFields } from './order.ts'

/**
 * Adds fields to the query of a URL. What stands behind `#`, which programs of one page have as their path, stays at
 * the end.
 */
export function withQuery(url: string, fields: Record<string, string>): string {
  const at = url.indexOf('#')
  const [bare, fragment] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
  return bare + (bare.includes('?') ? '&' : '?') + new URLSearchParams(fields) + fragment
}

/** Callbacks of EPay: the signed fields in the query of the notify URL, or as a form. */
export const epayForm: CallbackForm = {
  async request(deps, callback) {
    const found = await paidOrderOf(deps, callback)
    if (!found) return null
    const { payment, connection } = found
    const { url } = callback
    const fields = paidFields(deps, connection, payment)
    const headers = { 'user-agent': 'Coffer-Callback/1' }
    if (connection.callback_method === 'GET') return { method: 'GET', url: withQuery(url, fields), headers }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', url, headers: form, body: String(new URLSearchParams(fields)) }
  },
  confirms: isConfirmation,
}
