import { type ErrorName, errors } from '@coffer/contract/errors.ts'
import { languageList } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { appendAudit, auditOriginOf, noMerchantId } from '../../kit/audit.ts'
import { all, toJson } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { ActingOperator } from '../../kit/second-person.ts'
import type { Visitor } from '../../kit/visitor.ts'

/** An action as recorded: `began` is written before it, so that one that a crash interrupts is known. */
export interface OperatorAction {
  /** The operator, without id where an unknown one typed an e-mail. */
  by: ActingOperator
  /** A call of the console. */
  action: string
  /** What it concerns, such as a merchant or a withdrawal. */
  on: string
  from: Visitor | null
}

type State = Record<string, unknown> | null

interface Recorded {
  id: string
  action: string
  on: string
  before?: State
  after?: State
}

/** The subject of an entry is JSON; states that are larger are left out, so that nobody can fill the log. */
const subjectMax = 8_000

async function append(
  deps: Deps,
  { by, from, action, on }: OperatorAction,
  type: 'operator' | 'operator_began',
  more: { id: string; before?: State; after?: State },
  reason: ErrorName | '' = '',
): Promise<void> {
  const text = toJson({ action, on, ...more } satisfies Recorded)
  const subject = text.length <= subjectMax ? text : JSON.stringify({ id: more.id, action, on } satisfies Recorded)
  const entry = {
    ...auditOriginOf(deps, from),
    merchant_id: noMerchantId,
    type,
    reason,
    subject,
    device: by.email.slice(0, 254),
    person_id: by.operatorId,
  }
  await appendAudit(deps.pool, [{ ...entry, outcome: reason === '' ? 'done' : 'refused', created_at: deps.clock() }])
}

/** Records the beginning of an action. The returned function records its end. */
export async function beginOperatorAction(deps: Deps, action: OperatorAction, before: State) {
  const id = newId()
  await append(deps, action, 'operator_began', { id, before })
  return (after: State, reason: ErrorName | '' = '') => append(deps, action, 'operator', { id, before, after }, reason)
}

/** Records something that has happened, such as a sign-in. */
export const recordOperatorAction = (deps: Deps, action: OperatorAction, reason: ErrorName | '' = ''): Promise<void> =>
  append(deps, action, 'operator', { id: newId() }, reason)

/** An action whose end comes with the next entries is not listed by its beginning, whatever the filters are. */
const entries = all(
  'operator-log',
  `select l.seq, l.type, l.outcome, l.reason, l.subject, l.ip, l.device, l.person_id, l.created_at from audit_log l
   where l.merchant_id = '' and l.type in ('command', 'operator', 'operator_began')
     and ($1::bigint is null or l.seq < $1)
     and ($3::text is null or l.subject ilike $3 or l.device ilike $3 or l.ip ilike $3 or l.outcome ilike $3 or l.reason ilike $3
       or l.reason = any($8::text[]))
     and ($4::text is null or l.device ilike $4)
     and l.created_at between coalesce($5::bigint, 0) and coalesce($6::bigint, 9223372036854775807)
     and (l.type <> 'operator_began' or l.created_at <= $7::bigint and not exists (
       select from audit_log e where e.merchant_id = '' and e.type = 'operator' and e.seq > l.seq and e.seq <= l.seq + 200
         and case when e.type = 'operator' then e.subject::json ->> 'id' end
           = case when l.type = 'operator_began' then l.subject::json ->> 'id' end))
   order by l.seq desc limit $2`,
)

/** Actions on one page. */
const readAtOnce = 60
/** An action that began this long ago (s) and has no end was interrupted. */
const endsWithin = 120

const patternOf = (text: string | undefined) =>
  text === undefined ? null : `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`

/** Refusals whose words have the text. */
const refusalsWith = (text: string): ErrorName[] =>
  (Object.keys(errors) as ErrorName[]).filter(name =>
    languageList.some(each => errors[name][each].toLowerCase().includes(text.trim().toLowerCase())),
  )

interface LogFilter {
  /** Reads older entries than this one. */
  before?: number | undefined
  /** Part of the object, the call, what changed, the person, the address or the outcome. */
  text?: string | undefined
  /** Part of the e-mail of the person. */
  who?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

/**
 * Reads a page of what operators did, newest first, from before an entry on; filters apply to the whole log. The two
 * entries of an action are one row; `before` and `after` are what the action changed.
 */
export async function readOperatorActions(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { before, text, who, start_time, end_time }: LogFilter,
) {
  const found = patternOf(text)
  const person = patternOf(who)
  const from = start_time ?? null
  const to = end_time ?? null
  const begun = clock() - endsWithin
  const rows = await entries(
    pool,
    before ?? null,
    readAtOnce,
    found,
    person,
    from,
    to,
    begun,
    text === undefined ? [] : refusalsWith(text),
  )
  const list = rows.map(({ seq, type, outcome, reason, subject, ip, device, person_id, created_at }) => {
    const command = { id: '', action: 'command', on: subject } satisfies Recorded
    const recorded: Recorded = type === 'command' ? command : JSON.parse(subject)
    const { action, on, before: was = null } = recorded
    const { waits, ...changed } = recorded.after ?? {}
    const after = recorded.after ? changed : null
    const how = type === 'operator_began' ? ('interrupted' as const) : waits ? ('waits' as const) : outcome
    return {
      seq,
      who: device,
      person: person_id,
      ip,
      action,
      subject: on,
      outcome: how,
      reason,
      before: was,
      after,
      created_time: created_at,
    }
  })
  return { list, next: rows.length < readAtOnce ? 0 : rows.at(-1)!.seq }
}
