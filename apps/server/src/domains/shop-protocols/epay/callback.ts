import type { CallbackProtocol } from '../../../callback-form.ts'
import { isConfirmation } from '../confirms.ts'
import { findPaidOrder } from '../shop-payment.ts'
import { buildPaidFields } from './order.ts'

/**
 * Adds fields to the query of a URL. What stands behind `#`, which programs of one page have as their path, stays at
 * the end.
 */
export function addQueryFields(url: string, fields: Record<string, string>): string {
  const at = url.indexOf('#')
  const [bare, fragment] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
  return bare + (bare.includes('?') ? '&' : '?') + new URLSearchParams(fields) + fragment
}

/** Callbacks of EPay: the signed fields in the query of the notify URL, or as a form. */
export const epayCallbackForm: CallbackProtocol = {
  async request(deps, callback) {
    const found = await findPaidOrder(deps, callback)
    if (!found) return null
    const { payment, connection } = found
    const { url } = callback
    const fields = buildPaidFields(deps, connection, payment)
    const headers = { 'user-agent': 'Coffer-Callback/1' }
    if (connection.callback_method === 'GET') return { method: 'GET', url: addQueryFields(url, fields), headers }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', url, headers: form, body: String(new URLSearchParams(fields)) }
  },
  confirms: isConfirmation,
}
