import { type OperatorRole, operatorRoles } from '@coffer/contract/operator/roles.ts'
import type { Deps } from '../../deps.ts'
import { all, run } from '../../kit/db.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { type AlertKind, incidentMail, type Mail } from './alert-mails.ts'
import { factsOf } from './incident-facts.ts'
import { readParts } from './incident-store.ts'

/** Who can act on what is reported. */
const rolesOf = {
  incident: operatorRoles['POST /api/operator/v1/incidents/:id/take'],
} satisfies Partial<Record<AlertKind, readonly OperatorRole[]>>
type Kind = keyof typeof rolesOf

const isRole = (kind: Kind) => `o.role in (${rolesOf[kind].map(role => `'${role}'`).join(', ')})`

/** Seconds within which something new is reported: older than that it stands in the console. */
const newSeconds = 86_400
/** Mails that are sent at a time, and seconds after which one is sent again whose attempt was never recorded (crash). */
const [placesMax, leaseSeconds] = [20, 60]
/** Seconds until the next attempt after each failed one, then the last of them until `triesMax`. */
const pauses = [30, 120, 600, 3_600]
const triesMax = 24
const storedSeconds = 30 * 86_400

/** Queues a mail to each operator who can act on what is new, and had an account when it appeared. Parts of an incident are none. */
const queue = run(
  'operator-alerts-queue',
  `insert into operator_alerts (operator_id, subject, kind, object, created_at, due_at)
   select o.id, n.subject, n.kind, n.object, $1, $1 from (
     select 'incident ' || i.id as subject, 'incident' as kind, i.id as object, i.created_at as since
     from incidents i where i.resolved_at is null and i.part_of is null
   ) n join operators o on o.removed_at is null and o.password_hash is not null and o.credentials_at <= n.since
     and case n.kind when 'incident' then ${isRole('incident')} end
   where n.since > $2 on conflict do nothing`,
)

/** Takes mails that are due. Those to operators who were removed have no address. */
const lease = all(
  'operator-alerts-lease',
  `update operator_alerts a set due_at = $2, tries = a.tries + 1
   from (select subject, operator_id from operator_alerts where done_at is null and due_at <= $1
     order by due_at limit $3 for update skip locked) due
   left join operators o on o.id = due.operator_id and o.removed_at is null and o.password_hash is not null
   where a.subject = due.subject and a.operator_id = due.operator_id
   returning a.subject, a.operator_id, a.kind, a.object, a.tries, o.email, o.role`,
)
const end = run('operator-alert-end', 'update operator_alerts set done_at = $3 where subject = $1 and operator_id = $2')
const later = run(
  'operator-alert-later',
  'update operator_alerts set due_at = $3 where subject = $1 and operator_id = $2',
)
const forget = run('operator-alerts-forget', 'delete from operator_alerts where created_at < $1')

export const deleteOldAlerts = ({ pool, clock }: Deps) => forget(pool, clock() - storedSeconds)

type Leased = Awaited<ReturnType<typeof lease>>[number]

/** Mails operators what is new and in their power, once to each. A mail that was sent just before a crash is sent again. */
export async function alertOperators(deps: Deps): Promise<boolean> {
  const now = deps.clock()
  await queue(deps.pool, now, now - newSeconds)
  const leased = await lease(deps.pool, now, now + leaseSeconds, placesMax)
  await Promise.all(leased.map(each => send(deps, each)))
  return leased.length === placesMax
}

async function send(deps: Deps, { subject, operator_id, kind, object, tries, email, role }: Leased): Promise<void> {
  const { pool, log, clock } = deps
  const may: readonly (OperatorRole | null)[] = rolesOf[kind as Kind] ?? []
  try {
    const mail = email !== null && may.includes(role) ? await mailOf(deps, kind as Kind, object) : undefined
    if (mail) await deps.mail.send({ to: email!, ...mail })
    await end(pool, subject, operator_id, clock())
  } catch (error) {
    log.error({ err: error, subject }, 'operator not notified')
    if (tries >= triesMax) await end(pool, subject, operator_id, clock())
    else await later(pool, subject, operator_id, clock() + (pauses[tries - 1] ?? pauses.at(-1)!))
  }
}

/** Makes the mail about something; undefined once nobody has to act on it. */
const mailOf = (deps: Deps, kind: Kind, object: string): Promise<Mail | undefined> => mails[kind](deps, object)

const mails: Record<Kind, (deps: Deps, object: string) => Promise<Mail | undefined>> = {
  async incident({ pool, chains, config }, id) {
    const parts = await readParts(pool, id)
    const [lead] = parts
    if (!lead || parts.every(each => each.resolved_at !== 0)) return undefined
    const chain = lead.chain_id ? chains.get(lead.chain_id)?.definition : undefined
    const assets = lead.chain_id ? await assetsOfChain(pool, lead.chain_id) : new Map()
    return incidentMail(
      { kind: lead.kind, chain: chain?.name ?? lead.chain_id ?? '', facts: factsOf(lead, chain?.kind, assets) },
      `${config.operatorUrl}/incidents/${encodeURIComponent(id)}`,
    )
  },
}
