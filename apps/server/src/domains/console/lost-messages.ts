import { events, operatorEvents } from '@coffer/contract/events.ts'
import type { Deps } from '../../deps.ts'
import { all, type Queryable, tx } from '../../kit/db.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from '../chains/lasting-incidents.ts'

const kind = 'messages_lost'

/** Events about which money may be lost if nobody reads of them. */
const securityEvents = Object.entries({ ...events, ...operatorEvents }).flatMap(([name, { urgency }]) =>
  urgency === 'lost' ? name : [],
)

/**
 * Reads who was told of a security event at no address, unless a later message has arrived there, or an operator has
 * closed the incident since.
 */
const unreached = all(
  'messages-unreached',
  `select p.email, coalesce(s.mchid, '') as mchid, count(distinct (m.event, m.created_at))::int as n,
     (array_agg(m.error order by m.done_at desc))[1] as error
   from messages m join persons p on p.id = m.person_id and p.deleted_at is null left join merchants s on s.id = m.merchant_id
   where m.result in ('refused', 'expired') and m.channel in ('mail', 'text') and m.event = any($1)
     and m.done_at > (select coalesce(max(i.resolved_at), 0) from incidents i where i.kind = '${kind}')
     and not exists (
       select from messages d
       where d.person_id = m.person_id and d.created_at >= m.created_at and d.channel in ('mail', 'text')
         and (d.result = 'accepted' or d.done_at is null and d.event = m.event and d.created_at = m.created_at))
   group by p.id, p.email, s.mchid order by max(m.done_at) desc, p.id limit 100`,
)

/** Lists who could not be reached, the last one first. */
export const listUnreached = (c: Queryable) => unreached(c, securityEvents)

/** Opens an incident while security messages reach nobody, and ends it. */
export async function watchLostMessages({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>): Promise<false> {
  const now = clock()
  const people = await listUnreached(pool)
  const [last] = people
  if (last) {
    const messages = people.reduce((sum, { n }) => sum + n, 0)
    const row = { kind, chain_id: null, of: {}, detail: { messages, reason: last.error } }
    if (await tx(pool, c => reportLastingIncident(c, row, now)))
      log.error({ messages, people: people.length }, 'security messages reach nobody')
  }
  await endUnseenIncidents(pool, [kind], null, now - unseenIncidentSeconds, now)
  return false
}
