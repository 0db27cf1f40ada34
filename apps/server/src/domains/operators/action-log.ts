import type { ErrorName } from '@coffer/contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { appendAudit, nobody, originOf } from '../../kit/audit.ts'
import { all, toJson } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { Visitor } from '../../kit/visitor.ts'

/** An action as recorded: `began` is written before it, so that one that a crash interrupts is known. */
export interface Action {
  /** E-mail of the operator, or what an unknown one typed. */
  who: string
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
  { who, from, action, on }: Action,
  type: 'operator' | 'operator_began',
  more: { id: string; before?: State; after?: State },
  reason: ErrorName | '' = '',
): Promise<void> {
  const text = toJson({ action, on, ...more } satisfies Recorded)
  const subject = text.length <= subjectMax ? text : JSON.stringify({ id: more.id, action, on } satisfies Recorded)
  const entry = { ...originOf(deps, from), merchant_id: nobody, type, reason, subject, device: who.slice(0, 254) }
  await appendAudit(deps.pool, [{ ...entry, outcome: reason === '' ? 'done' : 'refused', created_at: deps.clock() }])
}

/** Records the beginning of an action. The returned function records its end. */
export async function beginAction(deps: Deps, action: Action, before: State) {
  const id = newId()
  await append(deps, action, 'operator_began', { id, before })
  return (after: State, reason: ErrorName | '' = '') => append(deps, action, 'operator', { id, before, after }, reason)
}

/** Records something that has happened, such as a sign-in. */
export const recordAction = (deps: Deps, action: Action, reason: ErrorName | '' = ''): Promise<void> =>
  append(deps, action, 'operator', { id: newId() }, reason)

const entries = all(
  'operator-log',
  `select seq, type, outcome, reason, subject, ip, device, created_at from audit_log
   where merchant_id = '' and type in ('command', 'operator', 'operator_began')
     and ($1::bigint is null or seq < $1) order by seq desc limit $2`,
)

/** Entries of the chain that one page reads: an action has two. */
const readAtOnce = 120
/** An action that began this long ago (s) and has no end was interrupted. */
const endsWithin = 120

/**
 * Reads a page of what operators did, newest first, from before an entry on. The two entries of an action are one row;
 * `before` and `after` are what the action changed.
 */
export async function readActions(
  deps: Pick<Deps, 'pool' | 'clock'>,
  { before, text }: { before?: number; text?: string },
) {
  const rows = await entries(deps.pool, before ?? null, readAtOnce)
  const ended = new Set<string>()
  const list = rows.flatMap(({ seq, type, outcome, reason, subject, ip, device, created_at }) => {
    const command = { id: '', action: 'command', on: subject } satisfies Recorded
    const recorded: Recorded = type === 'command' ? command : JSON.parse(subject)
    if (type === 'operator') ended.add(recorded.id)
    // The end of an action at the edge of a page may be on the page before.
    const isOver =
      ended.has(recorded.id) || created_at > deps.clock() - endsWithin || (before !== undefined && before - seq < 20)
    if (type === 'operator_began' && isOver) return []
    const { action, on, before: was = null, after = null } = recorded
    const how = type === 'operator_began' ? ('interrupted' as const) : outcome
    return [
      { seq, who: device, ip, action, subject: on, outcome: how, reason, before: was, after, created_time: created_at },
    ]
  })
  const wanted = text?.toLowerCase()
  return {
    list: wanted === undefined ? list : list.filter(each => JSON.stringify(each).toLowerCase().includes(wanted)),
    next: rows.length < readAtOnce ? 0 : rows.at(-1)!.seq,
  }
}
