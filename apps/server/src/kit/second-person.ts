import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import { recordOperatorAuditEntry } from './audit.ts'
import { all, first, type Queryable, run } from './db.ts'
import { operatorsInSql } from './operators-in-sql.ts'
import { Refusal } from './refusal.ts'

const approvers = operatorRoles['POST /api/operator/v1/withdrawals/:id/approve']
const roles = approvers.map(role => `'${role}'`).join(', ')

/**
 * SQL condition on an approval: whoever gave it may still give one. An operator who was removed, or has another role
 * since, does not count; users of the command line have no account.
 */
export const buildValidApprovalSql = (
  of: string,
  mayGive = `o.role in (${roles})`,
) => `(not exists (select from ${operatorsInSql} o where o.email = ${of}.who)
  or exists (select from ${operatorsInSql} o where o.email = ${of}.who and o.removed_at is null and ${mayGive}))`

const insert = run(
  'operator-approval-insert',
  'insert into operator_approvals (subject, who, created_at) values ($1, $2, $3) on conflict do nothing',
)
const read = all(
  'operator-approvals-read',
  `select subject, who from operator_approvals a where subject = any($1) and ${buildValidApprovalSql('a', 'o.role = any($2)')}
   order by created_at, who`,
)

/** Seconds for which an operator whose account was activated, also by a renewed link, is nobody's second person. */
const newSeconds = 86_400

const isNew = run(
  'operator-is-new',
  `select 1 from ${operatorsInSql} o where email = $1 and removed_at is null and since > $2`,
)

/** Refuses an operator whose account is new. Throws Refusal('operator_too_new'). */
export async function refuseNewOperator(c: Queryable, who: string, now: number): Promise<void> {
  if (await isNew(c, who, now - newSeconds)) throw new Refusal('operator_too_new')
}

/** What decides about a merchant's withdrawals, one person after the other. */
type Assessment = 'risk' | 'limits'

const assess = run(
  'merchant-assess',
  'insert into merchant_assessments (merchant_id, what, who, created_at) values ($1, $2, $3, $4) on conflict do nothing',
)
/**
 * Whether somebody did something else to a merchant since $4, and another operator could act in their place. The
 * operator of the sandbox, who has no password, is one person in every role.
 */
const hasAssessed = run(
  'merchant-assessed',
  `select 1 from merchant_assessments where merchant_id = $1 and what <> $2 and who = $3 and created_at > $4
     and exists (select from ${operatorsInSql} o where o.email = $3 and o.removed_at is null and o.password_hash is not null)
     and exists (select from ${operatorsInSql} o where o.email <> $3 and o.removed_at is null and o.password_hash is not null
       and o.role in (${roles})) limit 1`,
)

/**
 * Refuses whoever changed what decides about a merchant's withdrawals within a day to take the next step: after the
 * risk level the limits, after either an approval. Where nobody else could, one person does it all. Throws
 * Refusal('second_operator_needed').
 */
export async function requireSecondPerson(
  c: Queryable,
  { merchantId, step, who, now }: { merchantId: string; step: Assessment | 'approval'; who: string; now: number },
): Promise<void> {
  if (await hasAssessed(c, merchantId, step, who, now - newSeconds)) throw new Refusal('second_operator_needed')
  if (step !== 'approval') await assess(c, merchantId, step, who, now)
}

/**
 * Whether somebody else has one of some roles, or had until something within the day ended it: whoever removes the
 * second person is not alone by that.
 */
const other = first(
  'operator-other',
  `select 1 as n from ${operatorsInSql} o where email <> $1 and ((removed_at is null and password_hash is not null and role = any($2)) or changed_at > $3)
   limit 1`,
)
export const hasSecondPerson = async (
  c: Queryable,
  who: string,
  may: readonly OperatorRole[],
  now: number,
): Promise<boolean> => (await other(c, who, [...may], now - newSeconds)) !== undefined

/** What a step that may take two people does within its transaction, before it changes anything. */
export type AgreementCheck = (c: Queryable) => Promise<'waits' | 'alone' | 'together'>

/** Reads whose approvals of each of some subjects count. */
export async function readApproversBySubject(c: Queryable, subjects: string[]): Promise<Map<string, string[]>> {
  const rows = await read(c, subjects, [...approvers])
  return new Map(subjects.map(subject => [subject, rows.flatMap(row => (row.subject === subject ? [row.who] : []))]))
}

const everGiven = all(
  'operator-approvals-ever',
  'select subject, who from operator_approvals where subject = any($1) order by created_at, who',
)

/**
 * Reads who approved each of some payouts last, also after it was decided. `subjectOf` names the approvals of a payout
 * that had some number of events.
 */
export async function lastApprovals<Row extends { id: string; events: number }>(
  c: Queryable,
  rows: readonly Row[],
  subjectOf: (row: Row) => string,
): Promise<Map<string, string[]>> {
  const subjects = rows.map(row => Array.from({ length: row.events + 1 }, (_, events) => subjectOf({ ...row, events })))
  const given = await everGiven(c, subjects.flat())
  return new Map(
    rows.map(({ id }, index) => {
      const last = subjects[index]!.findLast(subject => given.some(each => each.subject === subject))
      return [id, given.flatMap(each => (each.subject === last ? [each.who] : []))]
    }),
  )
}

/**
 * Records an operator's approval and returns whether enough people have given one. The caller must have locked what is
 * approved. Throws Refusal('second_operator_needed') when the same person approves again, Refusal('operator_too_new')
 * for a new second person.
 */
export async function recordOperatorApproval(
  c: Queryable,
  of: { subject: string; who: string; people: number; now: number; may?: readonly OperatorRole[] },
): Promise<boolean> {
  const { subject, who, people, now, may = approvers } = of
  if (people > 1) await refuseNewOperator(c, who, now)
  const added = await insert(c, subject, who, now)
  if (added > 0) await recordOperatorAuditEntry(c, { type: 'operator_approved', subject: `${who} ${subject}`, now })
  const enough = (await read(c, [subject], [...may])).length >= people
  if (!enough && added === 0) throw new Refusal('second_operator_needed')
  return enough
}
