import { defineHandlers } from '../../http/context.ts'
import { pageOf } from '../../kit/list.ts'
import { markRead } from './mark-read.ts'
import { notification } from './present.ts'
import { countNotifications, listNotifications } from './store.ts'

/** Notifications. `all` lists read and unread ones whatever `read` says. */
export const messageHandlers = defineHandlers({
  'GET /api/v1/message': async ({ deps, session: { merchantId }, query, language }) => {
    const filter = { status: query.all ? null : (query.read ?? null), types: query.types ?? null }
    const [rows, counts] = await Promise.all([
      listNotifications(deps.pool, merchantId, filter, pageOf(query)),
      countNotifications(deps.pool, merchantId, filter),
    ])
    return { list: rows.map(row => notification(row, language)), ...counts }
  },

  'PUT /api/v1/message/read': async ({ deps, session: { merchantId }, body: { message_ids } }) => {
    const ids = message_ids.flatMap(id => (id === -1 ? [] : id))
    return { unread: await markRead(deps, { merchantId, ids: ids.length === message_ids.length ? ids : null }) }
  },
})
