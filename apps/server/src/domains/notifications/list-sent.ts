import type { Language, RouteData } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { NotificationReader } from '../../kit/audience.ts'
import { all } from '../../kit/db.ts'
import { nameToldEvent } from './event-mails.ts'

/** Messages that the page shows. */
const shownMax = 50

/**
 * Lists the last messages to a person of a shop, with the name of the device, chat or system. What went to a former
 * mailbox or phone is not named: whoever reads this may not be who had it.
 */
const sentTo = all(
  'messages-sent',
  `select m.id, m.channel, coalesce(d.device, c.name,
       case when m.address in (p.email, '+' || replace(p.area_code, '+', '') || p.phone) then m.address else '' end) as address,
     m.event, m.params, m.created_at, m.done_at, m.result, m.error,
     (select count(*) from messages o where o.sent_with = m.id)::int as more
   from messages m
   join persons p on p.id = m.person_id
   left join push_devices d on m.channel = 'push' and d.id = m.address
   left join message_channels c on m.channel = 'chat' and c.id = m.address
   where m.person_id = $1 and m.merchant_id = $2 and m.result <> 'unwanted' and m.sent_with is null
   order by m.created_at desc, m.id desc limit ${shownMax}`,
)

type Sent = RouteData<'GET /api/v1/message/sent'>['list'][number]

/** Lists what was sent to a reader lately, how, and whether it arrived. */
export async function listSentMessages(
  deps: Deps,
  { personId, merchantId }: NotificationReader,
  language: Language,
): Promise<{ list: Sent[] }> {
  const rows = await sentTo(deps.pool, personId, merchantId)
  return {
    list: rows.map(({ id, channel, address, event, params, created_at, done_at, result, error, more }) => ({
      id,
      channel: channel as Sent['channel'],
      to: address,
      more,
      title: nameToldEvent(event, params, language),
      state: (result || 'waiting') as Sent['state'],
      error,
      created_time: created_at,
      done_time: done_at ?? 0,
    })),
  }
}
