import type { RouteData } from '@coffer/contract'
import { callbackEvents } from '@coffer/contract'
import { defineHandlers } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { visibleCallbackEvents } from '../../kit/visible-to.ts'
import { resendCallback } from './resend-callback.ts'
import { sendTestCallback } from './send-test-callback.ts'
import { type CallbackRow, listAttempts, listCallbacks, readCallback } from './store.ts'

/** Back-office handlers for callbacks: list, detail with attempts, resend and test. */
export const callbackHandlers = defineHandlers({
  'GET /api/v1/callback/list': ({ deps, session: { merchantId, role }, query }) => {
    const events = visibleCallbackEvents(role)
    const filter = { ...query, ...(events.length < callbackEvents.length && { events: events.join() }) }
    return pageAnswer(listCallbacks(deps.pool, merchantId, filter, pageOf(query)), callback)
  },

  'GET /api/v1/callback/detail': async ({ deps, session: { merchantId, role }, query: { id } }) => {
    const row = await readCallback(deps.pool, merchantId, id)
    if (!row || !visibleCallbackEvents(role).some(event => event === row.event)) throw new Refusal('callback_not_exist')
    const attempts = await listAttempts(deps.pool, merchantId, id)
    return {
      ...callback(row),
      body: row.body,
      attempt_list: attempts.map(({ created_at, ...attempt }) => ({ time: created_at, ...attempt })),
    }
  },

  'POST /api/v1/callback/resend': async ({ deps, session: { merchantId }, body: { id } }) => {
    await resendCallback(deps, { merchantId, id })
    return {}
  },

  'POST /api/v1/callback/test': async ({ deps, session: { merchantId }, body: { appid } }) =>
    sendTestCallback(deps, { merchantId, appid }),
})

const callback = (row: CallbackRow): RouteData<'GET /api/v1/callback/list'>['list'][number] => ({
  id: row.id,
  type: row.event.split('.')[0]!,
  event: row.event,
  status: row.status,
  amount: row.amount,
  token: row.token,
  result: row.result,
  address: row.url,
  attempts: row.attempts,
  trade_no: row.trade_no,
  out_trade_no: row.out_trade_no ?? '',
  title: row.title ?? '',
  appid: row.appid,
  apply_name: row.apply_name,
  time: row.created_at,
  next_time: row.next_at ?? 0,
})
