import type { RouteData } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { defineHandlers, type KeyHolder } from '../../http/context.ts'
import { decodeCursor, encodeCursor, encodeNextCursor, resolveCursorPosition } from '../../kit/cursor.ts'
import { Refusal } from '../../kit/refusal.ts'
import { resendCallback } from './resend-callback.ts'
import {
  type CallbackRow,
  callbacksBefore,
  callbacksOfEvent,
  eventsAfter,
  listAttempts,
  readCallback,
} from './store.ts'

/** For how long (seconds) events can be read. */
export const eventRetentionSeconds = 30 * 86_400
/**
 * Events of transactions that commit later may come before newer ones: a cursor waits this long (seconds) before it
 * passes an event.
 */
const settledSeconds = 30

/** Handlers for a merchant's server: a key reads the callbacks and events of its own application. */
export const callbackKeyHandlers = defineHandlers({
  'GET /api/v1/pay/callbacks': async ({
    deps,
    holder: { merchantId, appid },
    query: { cursor, pageSize, ...filter },
  }) => {
    const { status = 0, event = '', trade_no = '', start_time = 0, end_time } = filter
    const place = resolveCursorPosition(cursor, end_time)
    const since = [place.created_at, place.id, start_time] as const
    const rows = await callbacksBefore(deps.pool, merchantId, appid, ...since, status, event, trade_no, pageSize)
    return { list: rows.map(sent), next_cursor: encodeNextCursor(rows, pageSize) }
  },

  'GET /api/v1/pay/callbacks/:id': async ({ deps, holder, params: { id } }) => {
    const { row } = await ownCallback(deps, holder, id)
    const attempts = await listAttempts(deps.pool, holder.merchantId, row.id)
    return {
      callback: sent(row),
      body: row.body,
      attempts: attempts.map(({ created_at, ...attempt }) => ({ time: created_at, ...attempt })),
    }
  },

  'POST /api/v1/pay/callbacks/:id/resend': async ({ deps, holder, params: { id } }) => {
    const { row, ids } = await ownCallback(deps, holder, id)
    const { merchantId, recheck } = holder
    for (const each of ids) await resendCallback(deps, { merchantId, id: each, recheck })
    return sent((await readCallback(deps.pool, holder.merchantId, row.id))!)
  },

  'GET /api/v1/pay/events': async ({ deps, holder: { merchantId, appid }, query: { cursor, pageSize } }) => {
    const now = deps.clock()
    const first = { created_at: now - eventRetentionSeconds, id: '' }
    const given = decodeCursor(cursor)
    const after = given && given.created_at >= first.created_at ? given : first
    const rows = await eventsAfter(deps.pool, merchantId, appid, after.created_at, after.id, pageSize)
    const settled = rows.findLast(row => row.created_at < now - settledSeconds)
    return {
      list: rows.map(({ id, body }) => ({ id, ...JSON.parse(body) })),
      next_cursor: settled ? encodeCursor(settled) : (cursor ?? ''),
    }
  },
})

const ownOnly = {
  en: 'id: the webhook-id of a callback of this application',
  'zh-CN': 'id：本应用回调的 webhook-id',
}

/**
 * The callback with an id or, where only endpoints received its event, which have that as webhook-id, the first of
 * theirs, and the ids of all.
 */
async function ownCallback({ pool }: Deps, { merchantId, appid }: KeyHolder, id: string) {
  let row = await readCallback(pool, merchantId, id)
  const ids = row ? [id] : (await callbacksOfEvent(pool, merchantId, appid, id)).map(each => each.id)
  row ??= ids[0] === undefined ? undefined : await readCallback(pool, merchantId, ids[0])
  if (row?.appid !== appid) throw new Refusal('callback_not_exist', { field: 'id', detail: ownOnly })
  return { row, ids }
}

const sent = (row: CallbackRow): RouteData<'GET /api/v1/pay/callbacks'>['list'][number] => ({
  id: row.id,
  event: row.event,
  status: row.status,
  result: row.result,
  attempts: row.attempts,
  notify_url: row.url,
  trade_no: row.trade_no,
  created_time: row.created_at,
  next_time: row.next_at ?? 0,
})
