import { all, run, type Statements } from '../../kit/db.ts'
import { isPresentSql } from '../../kit/member.ts'

/** Lists messages whose time is to be found, with the clock and the quiet hours of their readers. */
export const messagesToPlace = all(
  'messages-to-place',
  `select m.id, m.event, m.created_at, m.mode, p.time_zone, p.quiet_from, p.quiet_until
   from messages m left join persons p on p.id = m.person_id
   where m.due_at is null and m.done_at is null and m.sent_with is null limit $1`,
)
/** Sets when messages are due, as JSON. */
export const placeMessages = run(
  'messages-place',
  `update messages m set due_at = r.due_at from json_to_recordset($1::json) as r(id text, due_at bigint)
   where m.id = r.id and m.due_at is null`,
)

/** The most that is sent as one message. */
const togetherMax = 10_000

/**
 * Takes messages that are due, the longest waiting of each merchant first, with the role that the reader has now. What
 * is due to the same reader and may be one message is taken with the first of it, for all of its attempts.
 * `$4` has the free places of services, and of merchants at them; `$5` and `$6` those of others, by channel.
 */
export const leaseMessages = all(
  'messages-lease',
  `with waiting as (
     select m.id, m.due_at, s.service, s.merchant, f.places, f.places_of_merchant,
       case when m.together is null or m.tries > 0 then m.id
         else concat_ws('|', m.realm, s.merchant, m.person_id, m.channel, m.together, m.address) end as one
     from messages m
     cross join lateral (
       -- Each push service is one of its own, and each system of operators.
       select case m.channel when 'push' then 'push ' || coalesce((
           select lower(substring(d.endpoint from '://([^/?#]+)')) from push_devices d where d.id = m.address), '')
         when 'hook' then 'hook ' || m.address
         else m.channel end as service, coalesce(m.merchant_id, '') as merchant
     ) s
     cross join lateral (
       select coalesce(($4::jsonb ->> s.service)::int, ($5::jsonb ->> m.channel)::int, 0) as places,
         coalesce(($4::jsonb ->> (s.service || ' of ' || s.merchant))::int, ($6::jsonb ->> m.channel)::int, 0) as places_of_merchant
     ) f
     -- What waits for one merchant must not fill the list for all others.
     where m.done_at is null and m.sent_with is null and m.due_at <= $1 and f.places > 0 and f.places_of_merchant > 0
     order by m.due_at, m.id limit 500
   ), due as (
     select d.*, row_number() over (partition by d.service order by d.due_at, d.id) as place,
       row_number() over (partition by d.service, d.merchant order by d.due_at, d.id) as place_of_merchant
     from (select distinct on (one) * from waiting order by one, due_at, id) d
   ), taken as (
     select m.*, due.service from due join messages m on m.id = due.id
     where m.done_at is null and m.sent_with is null and m.due_at <= $1
       and due.place <= due.places and due.place_of_merchant <= due.places_of_merchant
     order by due.place_of_merchant, due.due_at, due.id limit $3
     for update of m skip locked
   ), gathered as (
     update messages m set sent_with = g.first from (
       select o.id, t.id as first from taken t cross join lateral (
         select o.id from messages o
         where o.address = t.address and o.together = t.together and o.channel = t.channel and o.person_id = t.person_id
           and o.realm = t.realm and o.merchant_id is not distinct from t.merchant_id
           and o.done_at is null and o.sent_with is null and o.tries = 0 and o.due_at <= $1 and o.id <> t.id
         order by o.due_at, o.id limit ${togetherMax} for update skip locked
       ) o
       where t.tries = 0 and t.together is not null
     ) g where m.id = g.id
   )
   update messages m set due_at = $2, tries = m.tries + 1
   from taken where m.id = taken.id
   returning m.id, m.realm, coalesce(m.merchant_id, '') as merchant_id, m.person_id, m.audience, m.channel, taken.service, m.address, m.event,
     m.params, m.created_at, m.tries, m.together, m.mode,
     coalesce((select s.name from merchants s where s.id = m.merchant_id), '') as shop,
     (select p.language from persons p where p.id = m.person_id) as language,
     (select p.time_zone from persons p where p.id = m.person_id) as time_zone,
     (select p.quiet_from from persons p where p.id = m.person_id) as quiet_from,
     (select p.quiet_until from persons p where p.id = m.person_id) as quiet_until,
     (select e.role from members e
       where e.person_id = m.person_id and e.merchant_id = coalesce(m.merchant_id, '') and ${isPresentSql}) as role`,
)

/** Lists what is sent with a message, oldest first. */
export const messagesSentWith = all(
  'messages-sent-with',
  `select id, audience, event, params, created_at from messages where sent_with = $1 and done_at is null
   order by created_at, id`,
)

/** A message that this process may send until its lease ends, which `tries` identifies. */
export type LeasedMessage = Statements['messages-lease']['row']

/**
 * Ends a message and what is sent with it, unless its lease was lost to another attempt. An accepted one is over
 * anyway. `$6` has the ids of what nobody wanted.
 */
export const endMessage = run(
  'message-end',
  `update messages set done_at = $3, result = case when id = any($6) then 'unwanted' else $4 end,
     error = case when id = any($6) then '' else $5 end
   where (id = $1 or sent_with = $1) and done_at is null
     and exists (select from messages l where l.id = $1 and l.done_at is null and (l.tries = $2 or $4 = 'accepted'))`,
)
export const postponeMessage = run(
  'message-later',
  'update messages set due_at = $3, error = $4 where id = $1 and done_at is null and tries = $2',
)
/** Gives back a message that was not tried. */
export const giveBackMessage = run(
  'message-give-back',
  'update messages set due_at = $3, tries = tries - 1 where id = $1 and done_at is null and tries = $2',
)
export const deleteOldMessages = run('messages-forget', 'delete from messages where created_at < $1')
