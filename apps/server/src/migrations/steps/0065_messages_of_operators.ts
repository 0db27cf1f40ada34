import { type Kysely, sql } from 'kysely'

/**
 * Why: alerts of operators had a queue of their own, with another lease, and knew nothing of servers that are away. They are messages of
 * the realm console, whose receivers are operators and systems. Those that wait are sent, and those that were sent are not told again.
 * Operators see which messages about the security of accounts reached nobody; few end so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index messages_failed on messages (done_at) where result in ('refused', 'expired');
    -- Each alert once. What else is in this realm has no subject.
    create unique index messages_alerts on messages ((params ->> 'subject'), channel, address) where realm = 'console';
    create index messages_hooks on messages (address, created_at desc, id desc) where channel = 'hook';
    create index incidents_resolved on incidents (resolved_at);

    insert into messages (id, realm, person_id, audience, channel, address, event, params, created_at, due_at, tries, done_at, result,
      error, together)
    select substr(t.ms, 1, 8) || '-' || substr(t.ms, 9) || '-7000' || left(encode(sha256(convert_to(a.subject || ' ' || a.receiver, 'UTF8')),
        'hex'), 18),
      'console', coalesce(d.person_id, a.receiver),
      case when a.way = 'hook' then 'self' else case a.kind
        when 'incident' then 'POST /api/operator/v1/incidents/:id/take'
        when 'withdrawal' then 'POST /api/operator/v1/withdrawals/:id/approve'
        when 'refund' then 'POST /api/operator/v1/refunds/:id/approve'
        when 'opening' then 'POST /api/operator/v1/merchants/:id/review'
        when 'removal' then 'POST /api/operator/v1/merchants/:id/remove-authenticator'
        else split_part(a.object, ' ', 1) || ' ' || split_part(a.object, ' ', 2) end end,
      a.way, case a.way when 'mail' then p.email else a.receiver end,
      case when a.subject like 'end of %' then 'alert_incident_ended' else 'alert_' || a.kind end,
      jsonb_build_object('subject', a.subject, 'object', a.object), a.created_at, a.due_at, a.tries, a.done_at,
      case when a.done_at is null then '' when a.result in ('mailed', 'accepted') or a.result like 'HTTP 2%' then 'accepted'
        when a.result = 'gone' then 'refused' when a.result = '' then 'unwanted' else 'expired' end,
      case when a.way = 'hook' then a.result else '' end,
      case when a.way = 'mail' then 'alerts' end
    from operator_alerts a
    cross join lateral (select lpad(to_hex(a.created_at * 1000), 12, '0') as ms) t
    left join persons p on p.id = a.receiver
    left join push_devices d on d.id = a.receiver
    where a.way <> 'mail' or p.email is not null
    on conflict do nothing;
    drop table operator_alerts;
  `.execute(db)
}
