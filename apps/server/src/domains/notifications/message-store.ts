import { all, run, type Statements } from '../../kit/db.ts'
import { isPresentSql } from '../../kit/member.ts'

/**
 * Takes messages that are due, the longest waiting of each merchant first, with the role that the reader has now.
 * `$4` has the free places of services, and of merchants at them; `$5` and `$6` those of others, by channel.
 */
export const leaseMessages = all(
  'messages-lease',
  `with due as (
     select d.*, row_number() over (partition by d.service order by d.due_at, d.id) as place,
       row_number() over (partition by d.service, d.merchant order by d.due_at, d.id) as place_of_merchant
     from (
       select m.id, m.due_at, s.service, s.merchant, f.places, f.places_of_merchant
       from messages m
       cross join lateral (
         -- Each push service is one of its own.
         select case m.channel when 'push' then 'push ' || coalesce((
             select lower(substring(d.endpoint from '://([^/?#]+)')) from push_devices d where d.id = m.address), '')
           else m.channel end as service, coalesce(m.merchant_id, '') as merchant
       ) s
       cross join lateral (
         select coalesce(($4::jsonb ->> s.service)::int, ($5::jsonb ->> m.channel)::int, 0) as places,
           coalesce(($4::jsonb ->> (s.service || ' of ' || s.merchant))::int, ($6::jsonb ->> m.channel)::int, 0) as places_of_merchant
       ) f
       -- What waits for one merchant must not fill the list for all others.
       where m.done_at is null and m.due_at <= $1 and f.places > 0 and f.places_of_merchant > 0
       order by m.due_at, m.id limit 500
     ) d
   ), taken as (
     select m.id, due.service from due join messages m on m.id = due.id
     where m.done_at is null and m.due_at <= $1
       and due.place <= due.places and due.place_of_merchant <= due.places_of_merchant
     order by due.place_of_merchant, due.due_at, due.id limit $3
     for update of m skip locked
   )
   update messages m set due_at = $2, tries = m.tries + 1
   from taken where m.id = taken.id
   returning m.id, m.realm, coalesce(m.merchant_id, '') as merchant_id, m.person_id, m.audience, m.channel, taken.service, m.address, m.event,
     m.params, m.created_at, m.tries, (select p.language from persons p where p.id = m.person_id) as language,
     (select p.time_zone from persons p where p.id = m.person_id) as time_zone,
     (select e.role from members e
       where e.person_id = m.person_id and e.merchant_id = coalesce(m.merchant_id, '') and ${isPresentSql}) as role`,
)

/** A message that this process may send until its lease ends, which `tries` identifies. */
export type LeasedMessage = Statements['messages-lease']['row']

/** Ends a message, unless its lease was lost to another attempt. An accepted one is over anyway. */
export const endMessage = run(
  'message-end',
  `update messages set done_at = $3, result = $4, error = $5
   where id = $1 and done_at is null and (tries = $2 or $4 = 'accepted')`,
)
export const postponeMessage = run(
  'message-later',
  'update messages set due_at = $3, error = $4 where id = $1 and done_at is null and tries = $2',
)
export const deleteOldMessages = run('messages-forget', 'delete from messages where created_at < $1')
