import { merchantStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoles, type RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import type { AlertKind } from '@coffer/contract/operator/names.ts'
import type { Deps } from '../../deps.ts'
import { all, run } from '../../kit/db.ts'
import { operatorsInSql } from '../../kit/operators-in-sql.ts'
import { quietHoursEnd } from '../../kit/quiet-hours.ts'
import { pushAlert } from './alert-devices.ts'
import { postAlert } from './alert-hooks.ts'
import { type OperatorAlert, renderAlertMail } from './alert-mails.ts'
import { alertMakers, makeEndAlert } from './alert-makers.ts'
import { readAlertSettings } from './alert-settings.ts'

/** Who can act on what is reported; on a decision, those who can make its call. */
const rolesOf = {
  incident: operatorRoles['POST /api/operator/v1/incidents/:id/take'],
  withdrawal: operatorRoles['POST /api/operator/v1/withdrawals/:id/approve'],
  refund: operatorRoles['POST /api/operator/v1/refunds/:id/approve'],
  opening: operatorRoles['POST /api/operator/v1/merchants/:id/review'],
  removal: operatorRoles['POST /api/operator/v1/merchants/:id/remove-authenticator'],
} satisfies Record<Exclude<AlertKind, 'decision'>, readonly OperatorRole[]>

const rolesFor = (kind: AlertKind, object: string): readonly string[] =>
  kind === 'decision' ? (operatorRoles[object.split(' ', 2).join(' ') as RoleRestrictedCall] ?? []) : rolesOf[kind]

const rolesInSql = (kind: keyof typeof rolesOf) => `array[${rolesOf[kind].map(role => `'${role}'`).join(', ')}]`
const { auditing, abnormal } = withdrawalStatus
const { primary_audit, advanced_audit } = merchantStatus

/** Seconds within which something new is reported: older than that it stands in the console. */
const newSeconds = 86_400
/**
 * Alerts that are due are read at a time, and all of their receivers’ up to `togetherMax`: each operator gets one mail.
 */
const placesMax = 20
const togetherMax = 1_000
/** Alerts that are sent to a hook or device at a time. */
const postsMax = 20
/** Seconds after which an alert is sent again whose attempt was never recorded (crash). */
const leaseSeconds = 60
/** Seconds for which what has to be decided waits for more of it, to be one mail. */
const gatherSeconds = 60
/** Seconds until the next attempt after each failed one, then the last of them until `triesMax`. */
const pauses = [30, 120, 600, 3_600]
const triesMax = 24
const storedSeconds = 30 * 86_400

/**
 * Queues an alert for each operator who can act on what is new, had an account when it appeared, and has not agreed to
 * it, and for each hook that wants its kind. Parts of an incident are none.
 */
const queue = run(
  'operator-alerts-queue',
  `insert into operator_alerts (receiver, way, subject, kind, object, created_at, due_at)
   select r.id, r.way, n.subject, n.kind, n.object, $1::bigint,
     $1::bigint + case when n.kind = 'incident' or r.way = 'hook' then 0 else ${gatherSeconds} end from (
     select 'incident ' || i.id as subject, 'incident' as kind, i.id as object, i.created_at as since, ${rolesInSql('incident')} as roles,
       '{}'::text[] as agreed
     from incidents i where i.resolved_at is null and i.part_of is null
     union all
     select 'withdrawal ' || id || ' ' || status, 'withdrawal', id, updated_at, ${rolesInSql('withdrawal')}, '{}'
     from withdrawals where status in (${auditing}, ${abnormal})
     union all
     select 'refund ' || id, 'refund', id, updated_at, ${rolesInSql('refund')}, '{}' from refunds where status = ${abnormal}
     union all
     select 'opening ' || m.mchid || ' ' || a.created_at, 'opening', m.mchid, a.created_at, ${rolesInSql('opening')}, '{}'
     from merchants m cross join lateral (
       select created_at from audit_log where merchant_id = m.id and type = 'opening_requested' order by seq desc limit 1) a
     where m.status in (${primary_audit}, ${advanced_audit}) and m.deleted_at is null
     union all
     select 'removal ' || m.mchid || ' ' || r.requested_at, 'removal', m.mchid, r.requested_at, ${rolesInSql('removal')}, array[r.requested_person]
     from authenticator_removals r join merchants m on m.id = r.person_id where r.confirmed_by is null
     union all
     select 'decision ' || d.subject || ' ' || d.round, 'decision', d.subject || ' ' || d.round, d.asked_at, d.roles,
       array(select a.person_id from operator_approvals a where a.subject = d.subject || ' ' || d.round)
     from operator_decisions d where d.done_at is null
   ) n join (
     select id, 'mail' as way, since, role, id as person_id, '{}'::text[] as kinds
     from ${operatorsInSql} o where removed_at is null and password_hash is not null
     union all
     select d.id, 'push', d.created_at, o.role, o.id, '{}' from push_devices d
     join ${operatorsInSql} o on o.id = d.person_id and d.merchant_id is null and o.removed_at is null and o.password_hash is not null
     union all
     select id, 'hook', created_at, null, null, kinds from alert_hooks
   ) r on r.since <= n.since and
     case r.way when 'hook' then n.kind = any(r.kinds) else r.role = any(n.roles) and r.person_id <> all(n.agreed) end
   where n.since > $2 and not exists (select from operator_alerts a where a.subject = n.subject) on conflict do nothing`,
)

/** Queues the end of an incident for everybody who was told of it. */
const queueEnds = run(
  'operator-alerts-queue-ends',
  `insert into operator_alerts (receiver, way, subject, kind, object, created_at, due_at)
   select a.receiver, a.way, 'end of ' || a.subject, a.kind, a.object, $1::bigint, $1::bigint
   from operator_alerts a where a.kind = 'incident' and a.subject = 'incident ' || a.object
     and (a.result in ('mailed', 'accepted') or a.result like 'HTTP 2%')
     and (select case when count(*) = count(p.resolved_at) then max(p.resolved_at) end
       from incidents p where p.id = a.object or p.part_of = a.object) > $2
   on conflict do nothing`,
)

/**
 * Takes alerts of receivers for whom some are due, with those due soon. Operators, devices and hooks that were removed
 * have no address.
 */
const lease = all(
  'operator-alerts-lease',
  `update operator_alerts a set due_at = $2, tries = a.tries + 1
   from (select subject, receiver from operator_alerts where done_at is null and due_at <= $1::bigint + ${gatherSeconds} and receiver in (
       select receiver from operator_alerts where done_at is null and due_at <= $1::bigint and way = any($5::text[])
       order by due_at limit $3)
     order by due_at limit $4 for update skip locked) due
   left join push_devices d on d.id = due.receiver and d.merchant_id is null
   left join ${operatorsInSql} o on o.id = coalesce(d.person_id, due.receiver) and o.removed_at is null and o.password_hash is not null
   left join alert_hooks h on h.id = due.receiver
   where a.subject = due.subject and a.receiver = due.receiver
   returning a.subject, a.receiver, a.way, a.kind, a.object, a.created_at, a.tries, o.id as operator_id, o.email, o.role,
     h.url, h.secret,
     case when h.previous_until > $1::bigint then h.previous_secret end as previous_secret`,
)
const end = run(
  'operator-alert-end',
  'update operator_alerts set done_at = $3, result = $4 where subject = $1 and receiver = $2',
)
const later = run(
  'operator-alert-later',
  'update operator_alerts set due_at = $3, result = $4 where subject = $1 and receiver = $2',
)
/** Gives back what was not tried. */
const postpone = run(
  'operator-alert-postpone',
  'update operator_alerts set due_at = $3, tries = tries - 1 where subject = $1 and receiver = $2',
)
const forget = run('operator-alerts-forget', 'delete from operator_alerts where created_at < $1')

export const deleteOldAlerts = ({ pool, clock }: Deps) => forget(pool, clock() - storedSeconds)

type Leased = Awaited<ReturnType<typeof lease>>[number]

/** Mails operators what is new and in their power, once each. What was sent just before a crash is sent again. */
export async function mailOperators(deps: Deps): Promise<boolean> {
  const now = deps.clock()
  await queue(deps.pool, now, now - newSeconds)
  await queueEnds(deps.pool, now, now - newSeconds)
  return send(deps, ['mail'], mail)
}

/** The same for devices of operators, and for hooks that want its kind. None of them can hold up the mails. */
export const sendDeviceAndHookAlerts = (deps: Deps): Promise<boolean> =>
  send(deps, ['push', 'hook'], (_, rows) => (rows[0]?.way === 'hook' ? post : push)(deps, rows))

async function send(
  deps: Deps,
  ways: Leased['way'][],
  to: (deps: Deps, rows: Leased[]) => Promise<void>,
): Promise<boolean> {
  const now = deps.clock()
  const leased = await lease(deps.pool, now, now + leaseSeconds, placesMax, togetherMax, ways)
  await Promise.all([...Map.groupBy(leased, each => each.receiver).values()].map(rows => to(deps, rows)))
  return leased.length > 0
}

const alertOf = (deps: Deps, { subject, kind, object }: Leased): Promise<OperatorAlert | undefined> =>
  subject.startsWith('end of ') ? makeEndAlert(deps, object) : alertMakers[kind](deps, object)

/** What an operator gets now of what was taken: not what is switched off, nor what is not urgent in quiet hours. */
async function wanted(deps: Deps, rows: readonly Leased[]): Promise<{ row: Leased; alert: OperatorAlert }[]> {
  const { pool, log, clock } = deps
  const [{ receiver, operator_id, role }] = rows as [Leased]
  const settings = await readAlertSettings(pool, operator_id ?? receiver)
  const quiet = quietHoursEnd(clock(), settings)
  const now: { row: Leased; alert: OperatorAlert }[] = []
  for (const row of rows.toSorted((a, b) => a.created_at - b.created_at)) {
    const { kind, object, subject } = row
    try {
      const may = role !== null && rolesFor(kind, object).includes(role)
      const alert = may ? await alertOf(deps, row) : undefined
      if (!alert || (settings.off.includes(kind) && !alert.urgent)) await end(pool, subject, receiver, clock(), '')
      else if (quiet !== undefined && !alert.urgent) await postpone(pool, subject, receiver, quiet)
      else now.push({ row, alert })
    } catch (error) {
      log.error({ err: error, subject }, 'alert not made')
      await tryLater(deps, row)
    }
  }
  return now
}

/** Sends one operator a mail about all that was taken. */
async function mail(deps: Deps, rows: readonly Leased[]): Promise<void> {
  const { pool, log, clock } = deps
  const [{ receiver, email }] = rows as [Leased]
  const now = await wanted(deps, rows)
  if (email === null || now.length === 0) return
  try {
    const alerts = now.map(each => each.alert)
    await deps.mail.send({ to: email, ...renderAlertMail(alerts, deps.config.operatorUrl) })
    for (const { row } of now) await end(pool, row.subject, receiver, clock(), 'mailed')
  } catch (error) {
    log.error({ err: error, operator: receiver }, 'operator not notified')
    for (const { row } of now) await tryLater(deps, row)
  }
}

/** Gives back all but the first of what was taken. */
async function first({ pool, clock }: Deps, rows: readonly Leased[]): Promise<Leased[]> {
  for (const { subject, receiver } of rows.slice(postsMax)) await postpone(pool, subject, receiver, clock())
  return rows.slice(0, postsMax)
}

/** Makes an attempt at each, and notes how it ended: it is over, or tried again. */
async function sendEach<T extends { row: Leased }>(
  deps: Deps,
  all: readonly T[],
  attempt: (of: T) => Promise<{ ok: boolean; result: string }>,
): Promise<void> {
  const { pool, log, clock } = deps
  const one = async (of: T) => {
    const { subject, receiver } = of.row
    try {
      const { ok, result } = await attempt(of)
      if (ok) await end(pool, subject, receiver, clock(), result)
      else await tryLater(deps, of.row, result)
    } catch (error) {
      log.error({ err: error, subject }, 'alert not sent')
      await tryLater(deps, of.row)
    }
  }
  await Promise.all(all.map(one))
}

/** The outcome for a receiver or an object that is no longer there. */
const nothingToDo = { ok: true, result: '' }

/** Shows what was taken on a device of an operator, each by itself. */
async function push(deps: Deps, rows: readonly Leased[]): Promise<void> {
  const now = await wanted(deps, await first(deps, rows))
  await sendEach(deps, now, async ({ row: { subject, receiver }, alert }) => {
    const outcome = await pushAlert(deps, receiver, subject, alert)
    return { ok: outcome.result !== 'later', result: outcome.result === 'later' ? outcome.error : outcome.result }
  })
}

/** Sends a hook what was taken, each by itself. */
async function post(deps: Deps, rows: readonly Leased[]): Promise<void> {
  const now = (await first(deps, rows)).map(row => ({ row }))
  await sendEach(deps, now, async ({ row }) => {
    const { receiver, url, secret, previous_secret } = row
    const hook = url && secret && { id: receiver, url, secret, previous_secret: previous_secret ?? '' }
    const alert = hook ? await alertOf(deps, row) : undefined
    return hook && alert ? postAlert(deps, hook, { ...row, alert }) : nothingToDo
  })
}

const tryLater = ({ pool, clock }: Deps, { subject, receiver, tries }: Leased, result = '') =>
  tries >= triesMax
    ? end(pool, subject, receiver, clock(), result)
    : later(pool, subject, receiver, clock() + (pauses[tries - 1] ?? pauses.at(-1)!), result)
