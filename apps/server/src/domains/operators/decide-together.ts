import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { AuditedObjectKind } from '@coffer/contract/kit/operator-route.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import { type TwoOperatorCall, twoOperatorCalls } from '@coffer/contract/operator/decisions.ts'
import { type OperatorData, operatorRoutes } from '@coffer/contract/operator/index.ts'
import { valueDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { formatOptionalUsdtValue } from '../../kit/amounts.ts'
import { all, first, type Queryable, run, toJson } from '../../kit/db.ts'
import {
  type ActingOperator,
  type AgreementCheck,
  buildValidApprovalSql,
  hasSecondPerson,
  recordOperatorApproval,
} from '../../kit/second-person.ts'

/** Seconds for which a request waits for a second person. */
const openSeconds = 86_400

const ask = run(
  'operator-decision-ask',
  `insert into operator_decisions as d (subject, call, object, what, roles, reason, value, asked_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (subject) do update set round = d.round + 1, reason = $6, value = $7, asked_at = $8, done_at = null
     where d.done_at is not null or d.asked_at <= $8 - ${openSeconds}`,
)
const lock = first('operator-decision-lock', 'select round from operator_decisions where subject = $1 for update')
const end = run(
  'operator-decision-end',
  'update operator_decisions set done_at = $2 where subject = $1 and done_at is null',
)
/** SQL condition on a decision `d`: its call changes one of some kinds. */
const changes = (...kinds: AuditedObjectKind[]) =>
  `d.call in (${twoOperatorCalls.flatMap(call => (kinds.includes(operatorRoutes[call].object) ? `'${call}'` : [])).join(', ')})`
/** The incident, the network or the merchant that a decision `d` is about. */
const about = `left join incidents i on ${changes('incident')} and i.id = d.object
   left join chains h on h.id = coalesce(i.chain_id, case when ${changes('wallet', 'chain')} then d.object end)
   left join merchants m on ${changes('merchant')} and m.mchid = upper(d.object)`
const aboutColumns = `coalesce(i.kind, '') as incident, coalesce(h.definition ->> 'name', '') as chain, coalesce(m.name, '') as merchant`

const open = all(
  'operator-decisions-open',
  `select d.call, d.object, ${aboutColumns}, d.what, d.reason, d.value, d.asked_at, array(
       select a.person_id || ' ' || a.who from operator_approvals a
       where a.subject = d.subject || ' ' || d.round and ${buildValidApprovalSql('a', 'o.role = any(d.roles)')}
       order by a.created_at, a.who) as who
   from operator_decisions d ${about} where d.done_at is null and d.asked_at > $1 order by d.asked_at, d.subject`,
)

const oneOpen = first(
  'operator-decision-open',
  `select d.call, d.object, ${aboutColumns}, d.reason, d.value, coalesce(
       (select string_agg(a.who, ', ' order by a.created_at, a.who) from operator_approvals a where a.subject = $1), '') as who
   from operator_decisions d ${about} where d.subject || ' ' || d.round = $1 and d.done_at is null and d.asked_at > $2`,
)

export const parseDualApprovalThreshold = ({ config }: Pick<Deps, 'config'>): bigint =>
  parseDecimal(String(config.twoPeopleAbove), valueDecimals)!

interface DecisionRequest {
  call: TwoOperatorCall
  /** Number of what is decided: a merchant, a deposit, a chain or a queue. */
  object: string
  /** The body of the call without its reason: another one is another decision. */
  what?: object
  reason: string
  by: ActingOperator
  /** In USDT with `valueDecimals`; null when it is not known, which takes two people as any large value. */
  value: bigint | null
}

/**
 * Lets two operators decide what is worth more than a limit, where two could: the first request waits for the same one
 * of another person, for 24 hours. Refuses the same person twice and whoever is new.
 */
export const createDualApprovalCheck =
  (
    deps: Pick<Deps, 'clock' | 'config'>,
    { call, object, what = {}, reason, by, value }: DecisionRequest,
  ): AgreementCheck =>
  async c => {
    const now = deps.clock()
    const may = operatorRoles[call]
    const subject = `${call} ${object} ${JSON.stringify(what)}`
    const isLarge = value === null || value > parseDualApprovalThreshold(deps)
    if (!isLarge || !(await hasSecondPerson(c, by, may, now))) {
      await end(c, subject, now)
      return 'alone'
    }
    await ask(c, subject, call, object, toJson(what), [...may], reason, value, now)
    const { round } = (await lock(c, subject))!
    if (!(await recordOperatorApproval(c, { subject: `${subject} ${round}`, by, people: 2, now, may }))) return 'waits'
    await end(c, subject, now)
    return 'together'
  }

/** Reads what waits for a second operator, oldest first. */
export async function listOpenDecisions({
  pool,
  clock,
}: Pick<Deps, 'clock'> & { pool: Queryable }): Promise<OperatorData<'GET /api/operator/v1/decisions'>['list']> {
  const rows = await open(pool, clock() - openSeconds)
  return rows.flatMap(({ call: name, value, who, asked_at, ...row }) => {
    const call = twoOperatorCalls.find(each => each === name)
    const by = who.map(each => {
      const [id = '', email = ''] = each.split(' ')
      return { id, email }
    })
    // Whoever requested it may no longer do so.
    if (!call || by.length === 0) return []
    const times = { asked_time: asked_at, ends_time: asked_at + openSeconds }
    return [{ ...row, call, value: formatOptionalUsdtValue(value), who: by, ...times }]
  })
}

/** Reads what waits for a second operator, by subject and round; undefined once it does not. */
export async function findOpenDecision({ pool, clock }: Deps, round: string) {
  const found = await oneOpen(pool, round, clock() - openSeconds)
  const call = twoOperatorCalls.find(each => each === found?.call)
  return found && call && { ...found, call, value: formatOptionalUsdtValue(found.value) }
}
