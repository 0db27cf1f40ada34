import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { listShopPayments, type ShopPayment, skippedOrdersMax } from '../../payments/shop-order.ts'
import { findShopOrderAttempts } from '../shop-payment.ts'
import type { ShopCaller } from '../use-connection.ts'
import { isArchived, presentInvoice } from './invoice.ts'

/** The newest invoices among which those of a status or a text are looked for, and those that are answered. */
const searched = 500
const most = 100

const several = z
  .union([z.string(), z.array(z.string())])
  .transform(given => [given].flat().flatMap(each => each.split(',')))
  .pipe(z.array(z.string().min(1).max(100)).max(20))
const seconds = z.coerce.number().int().min(0).max(4_000_000_000)

/** How a list of invoices is narrowed and paged. Times are Unix seconds. */
export const invoiceFilterSchema = z.object({
  orderId: several.default([]),
  status: several.default([]),
  textSearch: z.string().max(100).default(''),
  startDate: seconds.default(0),
  endDate: seconds.default(4_000_000_000),
  includeArchived: z.stringbool({ truthy: ['true'], falsy: ['false', ''] }).default(false),
  skip: z.coerce.number().int().min(0).max(skippedOrdersMax).default(0),
  take: z.coerce.number().int().min(1).max(1_000).default(50),
})

/**
 * Lists the invoices of a store, newest first, at most 100 at once. A status or a text is looked for among the newest
 * 500.
 */
export async function listInvoices(deps: Deps, caller: ShopCaller, filter: z.output<typeof invoiceFilterSchema>) {
  const { orderId, status, textSearch, startDate: since, endDate: until, includeArchived, skip, take } = filter
  const limit = Math.min(take, most)
  const narrowed = orderId.length > 0 || status.length > 0 || textSearch !== ''
  const found = orderId.length > 0 ? await ofOrders(deps, caller, orderId) : await page()
  const listed = found
    .filter(({ order: { created_time } }) => created_time >= since && created_time <= until)
    .filter(each => includeArchived || !isArchived(each))
    .map(presentInvoice)
    .filter(each => status.length === 0 || status.includes(each.status))
    .filter(each => textSearch === '' || each.id === textSearch || JSON.stringify(each.metadata).includes(textSearch))
  return narrowed ? listed.slice(skip, skip + limit) : listed

  function page() {
    const { merchant_id: merchantId, appid, id: connection } = caller.connection
    const at = narrowed ? { offset: 0, limit: searched } : { offset: skip, limit }
    return listShopPayments(
      deps.pool,
      deps.config.publicUrl,
      { merchantId, appid, connection },
      { since, until, includeArchived, ...at },
    )
  }
}

/** The invoices of order numbers, the newest of each first. */
async function ofOrders(deps: Deps, caller: ShopCaller, orderIds: string[]): Promise<ShopPayment[]> {
  const found: ShopPayment[] = []
  for (const orderId of orderIds) found.push(...(await findShopOrderAttempts(deps, caller, orderId)))
  return found
}
