import { merchantStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import { type AlertName, alerts } from '@coffer/contract/events.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import type { Deps } from '../../deps.ts'
import { run } from '../../kit/db.ts'
import { makeOrderedIdGenerator } from '../../kit/ids.ts'
import { operatorsInSql } from '../../kit/operators-in-sql.ts'

/** The event, the call that it leads to and the roles that may make it, as SQL. */
function audienceSql(name: Exclude<AlertName, 'alert_decision'>): string {
  const { to } = alerts[name]
  const roles = to === 'asked' ? [] : operatorRoles[to]
  return `'${name}' as event, '${to}' as call, array[${roles.map(role => `'${role}'`).join(', ')}] as roles`
}
/** The id of a row of those that have the time of an id, in an order. */
const orderedIdSql = (id: string, order: string) =>
  `left(${id}, 18) || lpad(to_hex(row_number() over (order by ${order})), 18, '0')`
const { auditing, abnormal } = withdrawalStatus
const { primary_audit, advanced_audit } = merchantStatus

/** Seconds within which something new is reported: older than that it stands in the console. */
const newSeconds = 86_400
/** Seconds for which what has to be decided waits for more of it, to be one mail. */
const gatherSeconds = 60

/**
 * Queues an alert for each operator who can act on what is new, had an account when it appeared, and has not agreed to
 * it, and for each system that wants its kind. Parts of an incident are none. It is read from what there is, so that no
 * verb can forget to tell.
 */
const insertNew = run(
  'alerts-insert',
  `insert into messages (id, realm, person_id, audience, channel, address, event, params, created_at, due_at, together)
   select ${orderedIdSql('$3::text', 'n.since, n.subject')}, 'console', r.id,
     case when r.channel = 'hook' then 'self' else n.call end, r.channel, r.address, n.event,
     jsonb_build_object('subject', n.subject, 'object', n.object), $1::bigint,
     $1::bigint + case when n.event = 'alert_incident' or r.channel = 'hook' then 0 else ${gatherSeconds} end,
     case when r.channel = 'mail' then 'alerts' end
   from (
     select 'incident ' || i.id as subject, i.id as object, i.created_at as since, ${audienceSql('alert_incident')},
       '{}'::text[] as agreed
     from incidents i where i.resolved_at is null and i.part_of is null
     union all
     select 'withdrawal ' || id || ' ' || status, id, updated_at, ${audienceSql('alert_withdrawal')}, '{}'
     from withdrawals where status in (${auditing}, ${abnormal})
     union all
     select 'refund ' || id, id, updated_at, ${audienceSql('alert_refund')}, '{}' from refunds where status = ${abnormal}
     union all
     select 'opening ' || m.mchid || ' ' || a.created_at, m.mchid, a.created_at, ${audienceSql('alert_opening')}, '{}'
     from merchants m cross join lateral (
       select created_at from audit_log where merchant_id = m.id and type = 'opening_requested' order by seq desc limit 1) a
     where m.status in (${primary_audit}, ${advanced_audit}) and m.deleted_at is null
     union all
     select 'removal ' || m.mchid || ' ' || r.requested_at, m.mchid, r.requested_at, ${audienceSql('alert_removal')},
       array[r.requested_person]
     from authenticator_removals r join merchants m on m.id = r.person_id where r.confirmed_by is null
     union all
     select 'decision ' || d.subject || ' ' || d.round, d.subject || ' ' || d.round, d.asked_at, 'alert_decision',
       split_part(d.subject, ' ', 1) || ' ' || split_part(d.subject, ' ', 2), d.roles,
       array(select a.person_id from operator_approvals a where a.subject = d.subject || ' ' || d.round)
     from operator_decisions d where d.done_at is null
   ) n join (
     select id, 'mail' as channel, email as address, since, role, '{}'::text[] as kinds
     from ${operatorsInSql} o where removed_at is null and password_hash is not null
     union all
     select o.id, 'push', d.id, d.created_at, o.role, '{}' from push_devices d
     join ${operatorsInSql} o on o.id = d.person_id and d.merchant_id is null and o.removed_at is null
       and o.password_hash is not null
     union all
     select id, 'hook', id, created_at, null, kinds from alert_hooks
   ) r on r.since <= n.since and
     case r.channel when 'hook' then substr(n.event, 7) = any(r.kinds) else r.role = any(n.roles) and r.id <> all(n.agreed) end
   where n.since > $2 and not exists (
     select from messages a where a.realm = 'console' and a.params ->> 'subject' = n.subject)
   on conflict do nothing`,
)

/** Queues the end of an incident for everybody who was told of it. */
const insertEnds = run(
  'alerts-insert-ends',
  `insert into messages (id, realm, person_id, audience, channel, address, event, params, created_at, due_at, together)
   select ${orderedIdSql('$3::text', 'a.id')}, 'console', a.person_id, a.audience,
     a.channel, a.address, 'alert_incident_ended', jsonb_build_object('subject', 'end of incident ' || e.id, 'object', e.id),
     $1::bigint, $1::bigint, a.together
   from (select distinct coalesce(part_of, id) as id from incidents where resolved_at > $2) e
   join messages a on a.realm = 'console' and a.params ->> 'subject' = 'incident ' || e.id and a.result = 'accepted'
   where not exists (
     select from incidents p where (p.id = e.id or p.part_of = e.id) and p.resolved_at is null)
   on conflict do nothing`,
)

/** Queues alerts about what is new and what is over, once each. */
export async function queueAlerts({ pool, clock }: Deps): Promise<false> {
  const now = clock()
  const nextId = makeOrderedIdGenerator()
  await insertNew(pool, now, now - newSeconds, nextId())
  await insertEnds(pool, now, now - newSeconds, nextId())
  return false
}
