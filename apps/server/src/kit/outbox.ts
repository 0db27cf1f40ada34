import { notificationType } from '@coffer/contract/codes.ts'
import {
  events as definitions,
  type EventName,
  findDefaultMode,
  groupOf,
  type ListedEvent,
  type OperatorEventName,
  operatorEvents,
} from '@coffer/contract/events.ts'
import { operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import { rolesOfAudience, rolesThatCollect } from './audience.ts'
import { all, type Queryable, run } from './db.ts'
import { makeOrderedIdGenerator, newId } from './ids.ts'
import type { LiveHint } from './live.ts'
import { isPresentSql } from './member.ts'
import { operatorsInSql } from './operators-in-sql.ts'
import type { UnitOfWork, UnitOfWorkPart } from './unit-of-work.ts'

/** An event that somebody is told of. Whom it concerns, and how they are told, is in the table of events. */
export interface NewEvent {
  merchant_id: string
  /**
   * Key of an event that may be reported again, by a transaction that waits for the first. The duplicate is dropped:
   * such an event is in the list of notifications, and is not mailed.
   */
  id?: string
  name: EventName
  /** The person whom it is about, of what concerns one person; by default who opened the shop. */
  person_id?: string
  /** Texts are rendered from these in each reader's language, when they are read or sent. */
  params: Record<string, string>
  /** More that is sent and that the list of notifications does not have. */
  details?: Record<string, string> | undefined
  /** Somebody of the audience who is not told. */
  except?: string | undefined
  /** Whether its readers expect it, because their server did it, or know it by another event: it is not mailed. */
  isExpected?: boolean | undefined
  /** The verified phone of before the event (E.164, empty for none), where the event is that it changed. */
  formerPhone?: string | undefined
  created_at: number
}

/** An event of the installation, which operators are mailed of. */
export interface NewOperatorEvent extends Pick<NewEvent, 'params' | 'created_at'> {
  name: OperatorEventName
  /** The operator whom it is about, of what concerns one. */
  person_id?: string
}

/** The person of a member `e`, as notifications have it: empty for who opened the shop. */
const personSql = `case when e.person_id = e.merchant_id then '' else e.person_id end`
/** The id of the row of a member `e`: that of the event for who opened the shop, made of it for others. */
export const buildNotificationIdSql = (id: string): string =>
  `case when e.person_id = e.merchant_id then ${id} else ${buildPartIdSql(id, 'e.person_id')} end`
/** The id of one of the rows that an event has: it has the time of the event. */
const buildPartIdSql = (id: string, part: string) =>
  `left(${id}, 18) || left(encode(sha256(convert_to(${id} || ' ' || ${part}, 'UTF8')), 'hex'), 18)`

/**
 * Inserts a row for each member of the audience, and of a payment for who collected it and sees own ones only. Also
 * queues a push of what is pushed to each device of the readers, and returns how many.
 */
const insertListed = run(
  'notifications-insert',
  // Without `on conflict`, which logs a confirmation of each row. `not exists` beside `or` may be planned to read the
  // whole table.
  `with told as materialized (
     select r.merchant_id, e.id, e.person, e.reader, e.audience, r.types, r.listed_as, r.params, r.created_at, r.push, r.chat,
       r.is_mailed_on_request, r.is_lost, r.together
     from json_to_recordset($1::json) as r(merchant_id text, id text, new_id text, person_id text, audience text,
       roles text[], collectors text[], types int, listed_as text, params jsonb, created_at bigint, push text, chat text,
       is_mailed_on_request boolean, is_lost boolean, together text)
     cross join lateral (
       select ${personSql} as person, e.person_id as reader, ${buildNotificationIdSql('coalesce(r.id, r.new_id)')} as id,
         case when e.role = any(r.roles) then r.audience else 'collected' end as audience
       from members e
       where e.merchant_id = r.merchant_id and ${isPresentSql}
         and (e.role = any(r.roles) or e.role = any(r.collectors) and exists (
           select from payments p where p.merchant_id = r.merchant_id and p.trade_no = r.params ->> 'trade_no'
             and p.collected_by = e.person_id))
         and (r.person_id is null or e.person_id = r.person_id)
     ) e
     where r.id is null or (select true from notifications n where n.merchant_id = r.merchant_id and n.id = e.id) is null
   ), listed as (
     insert into notifications (merchant_id, id, person_id, audience, types, message, params, created_at)
     select merchant_id, id, person, audience, types, listed_as, params, created_at from told
   )
   insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at, mode, together)
   select ${buildPartIdSql('t.id', 'd.id')}, 'shop', t.merchant_id, t.reader, t.audience, d.channel, d.address, t.listed_as, t.params,
     t.created_at,
     -- The sender finds when it is due by the reader's clock.
     case when d.kind = 'hook' or t.is_lost
       or d.mode = 'now' and (select p.quiet_from = p.quiet_until from persons p where p.id = t.reader) then t.created_at end,
     -- A system takes events at once, one by one.
     case when d.kind = 'hook' then 'now' else d.mode end, case when d.kind <> 'hook' then t.together end
   from told t cross join lateral (
     select d.id, d.id as address, 'push' as channel, '' as kind, coalesce(s.mode, t.push) as mode
     from push_devices d left join message_settings s
       on s.person_id = t.reader and s.merchant_id = t.merchant_id and s.event = t.listed_as and s.channel = 'push'
     where t.push is not null and d.merchant_id = t.merchant_id and d.person_id = t.reader
       and d.seen_at > t.created_at - 90 * 86400
     union all
     select d.id, d.id, 'chat', d.kind, coalesce(s.mode, t.chat)
     from message_channels d left join message_settings s
       on s.person_id = t.reader and s.merchant_id = t.merchant_id and s.event = t.listed_as and s.channel = 'chat'
     where t.chat is not null and d.merchant_id = t.merchant_id and d.person_id = t.reader and d.address <> '' and d.refused = ''
     union all
     select 'mail', (select p.email from persons p where p.id = s.person_id), 'mail', '', s.mode
     from message_settings s
     where t.is_mailed_on_request and s.person_id = t.reader and s.merchant_id = t.merchant_id and s.event = t.listed_as
       and s.channel = 'mail'
   ) d
   where d.mode <> 'off'`,
)

/**
 * Queues mails to the readers of events, and of alarms also to their former addresses and text messages to verified
 * phones, all as they are in this transaction. What is about one person reaches also who is no member any more.
 */
const insertMessages = run(
  'messages-insert',
  `insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at, mode, together)
   select ${buildPartIdSql('r.new_id', `p.id || ' ' || w.channel || ' ' || w.address`)}, 'shop', r.merchant_id, p.id,
     r.audience, w.channel, w.address, r.name, r.params, r.created_at,
     case when w.kind = 'hook' or r.is_lost or coalesce(s.mode, 'now') = 'now' and p.quiet_from = p.quiet_until then r.created_at end,
     case when w.kind = 'hook' then 'now' else coalesce(s.mode, 'now') end, case when w.kind <> 'hook' then r.together end
   from json_to_recordset($1::json) as r(merchant_id text, new_id text, name text, person_id text, audience text, roles text[],
     together text, is_lost boolean, except_id text, is_alarm boolean, is_chat boolean, former_phone text, params jsonb, created_at bigint)
   cross join lateral (
     select id, email, area_code, phone, phone_verified, quiet_from, quiet_until from persons where r.audience = 'self' and id = r.person_id
     union all
     select p.id, p.email, p.area_code, p.phone, p.phone_verified, p.quiet_from, p.quiet_until from members e join persons p on p.id = e.person_id
     where r.audience <> 'self' and e.merchant_id = r.merchant_id and ${isPresentSql} and e.role = any(r.roles)
       and e.person_id is distinct from r.except_id
   ) p
   cross join lateral (
     select 'mail' as channel, p.email as address, '' as kind
     union
     select 'mail', f.email, '' from (
       select email from former_emails where r.is_alarm and person_id = p.id order by until desc limit 20) f
     union
     select 'text', t.phone, '' from (
       select coalesce(r.former_phone,
         case when p.phone_verified then '+' || replace(p.area_code, '+', '') || p.phone end, '') as phone) t
     where r.is_alarm and t.phone <> ''
     union
     select 'chat', d.id, d.kind from message_channels d
     where r.is_chat and d.person_id = p.id and d.merchant_id = r.merchant_id and d.address <> '' and d.refused = ''
   ) w
   left join message_settings s on not r.is_lost and s.person_id = p.id and s.merchant_id = r.merchant_id and s.event = r.name
     and s.channel = w.channel
   where coalesce(s.mode, 'now') <> 'off'`,
)

/** Queues mails to operators who can sign in, and may make the call or are the person. */
const insertOperatorMessages = run(
  'messages-operators-insert',
  `insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at)
   select ${buildPartIdSql('r.new_id', 'o.id')}, 'console', null, o.id, r.audience, 'mail', o.email, r.name, r.params, r.created_at,
     r.created_at
   from json_to_recordset($1::json) as r(new_id text, name text, person_id text, audience text, roles text[], params jsonb,
     created_at bigint)
   join ${operatorsInSql} o on o.removed_at is null and o.password_hash is not null
     and case r.audience when 'self' then o.id = r.person_id else o.role = any(r.roles) end`,
)

const isOfOperators = (row: NewEvent | NewOperatorEvent): row is NewOperatorEvent => row.name in operatorEvents

/**
 * Inserts what events tell, for each member or operator whom they concern, in the transaction of what they report.
 */
export async function insertEvents(
  c: Queryable,
  rows: readonly (NewEvent | NewOperatorEvent)[],
): Promise<{ sends: boolean }> {
  const ofOperators = rows.filter(isOfOperators)
  const ofShops = rows.filter(row => !isOfOperators(row))
  const toOperators = await insertOperatorEvents(c, ofOperators)
  const toMembers = ofShops.length > 0 && (await insertShopEvents(c, ofShops))
  return { sends: toOperators || toMembers }
}

async function insertOperatorEvents(c: Queryable, rows: readonly NewOperatorEvent[]): Promise<boolean> {
  if (rows.length === 0) return false
  const nextId = makeOrderedIdGenerator()
  const given = rows.map(row => {
    const { to: audience } = operatorEvents[row.name]
    const roles = audience === 'self' ? operatorRoleNames : operatorRoles[audience]
    return { ...row, audience, roles, new_id: nextId() }
  })
  return (await insertOperatorMessages(c, JSON.stringify(given))) > 0
}

/** How an event of the list of notifications is sent besides, unless its reader changed that. */
const waysOf = (name: EventName) => ({
  push: findDefaultMode(name, 'push'),
  chat: findDefaultMode(name, 'chat'),
  is_mailed_on_request: findDefaultMode(name, 'mail') === 'off',
  is_lost: definitions[name].urgency === 'lost',
  together: groupOf(definitions[name]),
})

async function insertShopEvents(c: Queryable, rows: readonly NewEvent[]): Promise<boolean> {
  const nextId = makeOrderedIdGenerator()
  const given = rows.map(row => {
    const definition = definitions[row.name]
    const { to: audience } = definition
    const person_id = audience === 'self' ? (row.person_id ?? row.merchant_id) : undefined
    return { ...row, definition, audience, person_id, roles: rolesOfAudience(audience), new_id: nextId() }
  })
  const listed = given.flatMap(({ definition, details: _, ...row }) => {
    const { list, listedAs = row.name } = definition
    if (!list) return []
    const collectors = row.audience === 'payments' ? rolesThatCollect : undefined
    return [{ ...row, types: notificationType[list], listed_as: listedAs, collectors, ...waysOf(listedAs) }]
  })
  const pushes = listed.length > 0 ? await insertListed(c, JSON.stringify(listed)) : 0
  const sent = given.flatMap(({ definition, ...row }) => {
    const { channels, list } = definition
    const is_alarm = channels.includes('alarm')
    const is_chat = !list && findDefaultMode(row.name, 'chat') === 'now'
    const is_lost = definition.urgency === 'lost'
    if (row.isExpected || !(is_alarm || channels.includes('mail'))) return []
    const params = { ...row.params, ...row.details }
    const together = groupOf(definition)
    return [
      { ...row, params, together, is_lost, is_alarm, is_chat, except_id: row.except, former_phone: row.formerPhone },
    ]
  })
  if (sent.length > 0) await insertMessages(c, JSON.stringify(sent))
  return pushes + sent.length > 0
}

/** Events that somebody is told of, with hints for their merchants and for what sends. */
export const events: UnitOfWorkPart<NewEvent | NewOperatorEvent> = {
  name: 'events',
  async write(c, rows, uow) {
    const { sends } = await insertEvents(c, rows)
    const listed = rows.flatMap(row => (!isOfOperators(row) && definitions[row.name].list ? row.merchant_id : []))
    const merchants = new Set(listed)
    for (const merchant_id of merchants) uow.hints.push({ merchant_id, type: 'notification', id: '' })
    if (sends) uow.hints.push({ merchant_id: '', type: 'message', id: '' })
  },
}

/** Hints are sent by `tx` after the commit. A lost hint loses nothing, because every listener also polls. */
export const liveHints: UnitOfWorkPart<LiveHint> = {
  name: 'hints',
  write: async (_c, rows, uow) => void uow.hints.push(...rows),
}

const insertForAll = all(
  'notifications-everybody',
  `insert into notifications (merchant_id, id, person_id, audience, types, message, params, created_at)
   select m.id, ${buildNotificationIdSql('$1::text')}, ${personSql}, $7, $2::int, $3::text, $4::jsonb, $5::bigint
   from merchants m join members e on e.merchant_id = m.id
   where m.deleted_at is null and ($6::text[] is null or m.mchid = any($6))
     and ${isPresentSql} and e.role = any($8)
   returning merchant_id`,
)

/**
 * Inserts the same notification, under one id, for every merchant or those named. Returns the id and the number of
 * merchants.
 */
export async function insertNotificationForAll(
  uow: UnitOfWork,
  { name, params, created_at }: Pick<NewEvent, 'params' | 'created_at'> & { name: ListedEvent },
  mchids: readonly string[] | null = null,
): Promise<{ id: string; receivers: number }> {
  const id = newId()
  const { to: audience, list = 'announcement' } = definitions[name]
  const roles = rolesOfAudience(audience)
  const types = notificationType[list]
  const rows = await insertForAll(uow.c, id, types, name, params, created_at, mchids, audience, roles)
  const merchants = [...new Set(rows.map(row => row.merchant_id))]
  uow.add(
    liveHints,
    merchants.map(merchant_id => ({ merchant_id, type: 'notification', id })),
  )
  return { id, receivers: merchants.length }
}
