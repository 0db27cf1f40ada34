import type { RouteData } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { defineHandlers, type KeyHolder } from '../../http/context.ts'
import { encodeNextCursor, resolveCursorPosition } from '../../kit/cursor.ts'
import { Refusal } from '../../kit/refusal.ts'
import { wholeShop } from '../../kit/visible-to.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { disablePaymentLink } from './disable-payment-link.ts'
import { presentLink } from './present.ts'
import { countPaidLinkPayments, type LinkRow, listLinksBefore, paymentLinkById } from './store.ts'

/** Handlers for a merchant's server: a key has the payment links of its own application. */
export const linkKeyHandlers = defineHandlers({
  'POST /api/v1/pay/links': async context => {
    const { deps, holder, body } = context
    const { merchantId, appid, recheck } = holder
    const link = { ...body, appid }
    return shown(deps, holder, await createPaymentLink(deps, { merchantId, link, from: context, recheck }))
  },

  'GET /api/v1/pay/links': async ({ deps, holder, query: { cursor, pageSize, start_time = 0, end_time } }) => {
    const { merchantId, appid } = holder
    const { created_at, id } = resolveCursorPosition(cursor, end_time)
    const rows = await listLinksBefore(deps.pool, merchantId, appid, created_at, id, start_time, pageSize)
    return { list: await allShown(deps, holder, rows), next_cursor: encodeNextCursor(rows, pageSize) }
  },

  'GET /api/v1/pay/links/:id': async ({ deps, holder, params: { id } }) =>
    shown(deps, holder, await ownLink(deps, holder, id)),

  'POST /api/v1/pay/links/:id/close': async ({ deps, holder, params: { id } }) => {
    await ownLink(deps, holder, id)
    await disablePaymentLink(deps, wholeShop(holder.merchantId), id, holder.recheck)
    return shown(deps, holder, await ownLink(deps, holder, id))
  },
})

const ownOnly = { en: 'id: a payment link of this application', 'zh-CN': 'id：本应用的收款链接' }
async function ownLink(deps: Deps, { merchantId, appid }: KeyHolder, id: string): Promise<LinkRow> {
  const row = await paymentLinkById(deps.pool, merchantId, id)
  if (row?.appid !== appid) throw new Refusal('payment_link_not_exist', { field: 'id', detail: ownOnly })
  return row
}

type Shown = RouteData<'GET /api/v1/pay/links/:id'>
const shown = async (deps: Deps, holder: KeyHolder, row: LinkRow): Promise<Shown> =>
  (await allShown(deps, holder, [row]))[0]!

async function allShown(deps: Deps, { merchantId }: KeyHolder, rows: readonly LinkRow[]): Promise<Shown[]> {
  const ids = rows.map(row => row.id)
  const paid = await countPaidLinkPayments(deps.pool, merchantId, ids)
  return rows.map(row => {
    const own = presentLink(row, deps.config.publicUrl, paid.get(row.id) ?? 0, deps.clock())
    const { apply_name: _name, state, ...link } = own
    return { ...link, state: state === 'disabled' ? 'closed' : state }
  })
}
