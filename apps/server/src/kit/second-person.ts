import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import { recordOperatorAuditEntry } from './audit.ts'
import { all, first, type Queryable, run } from './db.ts'
import { operatorsInSql } from './operators-in-sql.ts'
import { Refusal } from './refusal.ts'
import { countPersons, isSamePerson, newPersonSeconds, type PersonName, samePersonInSql } from './same-person.ts'

/** An operator who acts; with an empty id whoever uses the command line, whom `email` names. */
export interface ActingOperator {
  operatorId: string
  email: string
}

/** Returns the operators who are another person than who acts. */
export const filterOtherPersons = <T extends PersonName>(operators: readonly T[], by: ActingOperator): T[] =>
  operators.filter(each => !isSamePerson(each, toPersonName(by)))

const toPersonName = ({ operatorId: id, email }: ActingOperator): PersonName => ({ id, email })

const approvers = operatorRoles['POST /api/operator/v1/withdrawals/:id/approve']
const roles = approvers.map(role => `'${role}'`).join(', ')

/**
 * SQL condition on an approval: whoever gave it may still give one. An operator who was removed, or has another role
 * since, does not count, nor for an account that came later; users of the command line have none.
 */
export const buildValidApprovalSql = (of: string, mayGive = `o.role in (${roles})`) =>
  `(${of}.person_id = '' or exists (
    select from ${operatorsInSql} o where o.id = ${of}.person_id and o.removed_at is null and ${mayGive}))`

const insert = run(
  'operator-approval-insert',
  'insert into operator_approvals (subject, person_id, who, created_at) values ($1, $2, $3, $4) on conflict do nothing',
)
const read = all(
  'operator-approvals-read',
  `select subject, person_id as id, who as email from operator_approvals a where subject = any($1) and ${buildValidApprovalSql('a', 'o.role = any($2)')}
   order by created_at, who`,
)

const isNew = run(
  'operator-is-new',
  `select 1 from ${operatorsInSql} o where id = $1 and removed_at is null and since > $2`,
)

/** Refuses an operator whose account is new. Throws Refusal('operator_too_new'). */
export async function refuseNewOperator(c: Queryable, { operatorId }: ActingOperator, now: number): Promise<void> {
  if (await isNew(c, operatorId, now - newPersonSeconds)) throw new Refusal('operator_too_new')
}

/** What decides about a merchant's withdrawals, one person after the other. */
type Assessment = 'risk' | 'limits'

const assess = run(
  'merchant-assess',
  `insert into merchant_assessments (merchant_id, what, person_id, who, created_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
)
/**
 * Finds who did something else to a merchant since $5, where another operator could act in the place of $3: the same
 * person, or somebody before the account of $3 began, who may be the person of a former account. The operator of the
 * sandbox, who has no password, is one person in every role.
 */
const lastAssessment = first(
  'merchant-assessed',
  `select ${samePersonInSql('a.person_id', 'a.who', 'o.id', 'o.email')} as same
   from merchant_assessments a join ${operatorsInSql} o on o.id = $3 and o.removed_at is null and o.password_hash is not null
   where a.merchant_id = $1 and a.what <> $2 and a.created_at > $4
     and (${samePersonInSql('a.person_id', 'a.who', 'o.id', 'o.email')} or o.since >= a.created_at)
     and exists (select from ${operatorsInSql} other where other.removed_at is null and other.password_hash is not null
       and other.role in (${roles}) and not ${samePersonInSql('other.id', 'other.email', 'o.id', 'o.email')})
   order by same desc limit 1`,
)

/**
 * Refuses whoever changed what decides about a merchant's withdrawals within a day to take the next step: after the
 * risk level the limits, after either an approval. Where nobody else could, one person does it all. Throws
 * Refusal('second_operator_needed'), or Refusal('operator_too_new') where the account began only after that change.
 */
export async function requireSecondPerson(
  c: Queryable,
  { merchantId, step, by, now }: { merchantId: string; step: Assessment | 'approval'; by: ActingOperator; now: number },
): Promise<void> {
  const found = await lastAssessment(c, merchantId, step, by.operatorId, now - newPersonSeconds)
  if (found) throw new Refusal(found.same ? 'second_operator_needed' : 'operator_too_new')
  if (step !== 'approval') await assess(c, merchantId, step, by.operatorId, by.email, now)
}

/**
 * Whether somebody else has one of some roles, or had until something within the day ended it: whoever removes the
 * second person is not alone by that.
 */
const other = first(
  'operator-other',
  `select 1 as n from ${operatorsInSql} o where not ${samePersonInSql('o.id', 'o.email', '$1::text', '$2::text')}
     and ((removed_at is null and password_hash is not null and role = any($3)) or changed_at > $4) limit 1`,
)
export const hasSecondPerson = async (
  c: Queryable,
  by: ActingOperator,
  may: readonly OperatorRole[],
  now: number,
): Promise<boolean> => (await other(c, by.operatorId, by.email, [...may], now - newPersonSeconds)) !== undefined

/** What a step that may take two people does within its transaction, before it changes anything. */
export type AgreementCheck = (c: Queryable) => Promise<'waits' | 'alone' | 'together'>

/** Reads whose approvals of each of some subjects count. */
export async function readApproversBySubject(c: Queryable, subjects: string[]): Promise<Map<string, PersonName[]>> {
  const rows = await read(c, subjects, [...approvers])
  return new Map(subjects.map(subject => [subject, namesIn(rows, subject)]))
}

const namesIn = (rows: readonly (PersonName & { subject: string })[], subject: string | undefined): PersonName[] =>
  rows.flatMap(({ id, email, ...row }) => (row.subject === subject ? [{ id, email }] : []))

const readBelow = all(
  'operator-approvals-below',
  `select s.subject, substr(a.subject, length(s.subject) + 2) as below, a.person_id as id, a.who as email
   from operator_approvals a join unnest($1::text[]) as s (subject) on starts_with(a.subject, s.subject || ' ')
   where a.created_at >= $2 and ${buildValidApprovalSql('a', 'o.role = any($3)')} order by a.created_at, a.who`,
)

/**
 * Reads whose approvals count that name something more than a subject, such as a transaction, given since a time: by
 * what each names, the first one first.
 */
export async function readApproversBelow(c: Queryable, subjects: string[], since: number) {
  const rows = subjects.length === 0 ? [] : await readBelow(c, subjects, since, [...approvers])
  return (subject: string): Map<string, PersonName[]> => {
    const own = rows.filter(row => row.subject === subject)
    const names = [...new Set(own.map(row => row.below!))]
    return new Map(
      names.map(below => [below, own.flatMap(row => (row.below === below ? [{ id: row.id, email: row.email }] : []))]),
    )
  }
}

const everGiven = all(
  'operator-approvals-ever',
  'select subject, person_id as id, who as email from operator_approvals where subject = any($1) order by created_at, who',
)

/**
 * Reads who approved each of some payouts last, also after it was decided. `subjectOf` names the approvals of a payout
 * that had some number of events.
 */
export async function lastApprovals<Row extends { id: string; events: number }>(
  c: Queryable,
  rows: readonly Row[],
  subjectOf: (row: Row) => string,
): Promise<Map<string, PersonName[]>> {
  const subjects = rows.map(row => Array.from({ length: row.events + 1 }, (_, events) => subjectOf({ ...row, events })))
  const given = await everGiven(c, subjects.flat())
  return new Map(
    rows.map(({ id }, index) => {
      const last = subjects[index]!.findLast(subject => given.some(each => each.subject === subject))
      return [id, namesIn(given, last)]
    }),
  )
}

/**
 * Records an operator's approval and returns whether enough people have given one. The caller must have locked what is
 * approved. Throws Refusal('second_operator_needed') when the same person approves again, by whatever account,
 * Refusal('operator_too_new') for a new second person.
 */
export async function recordOperatorApproval(
  c: Queryable,
  of: { subject: string; by: ActingOperator; people: number; now: number; may?: readonly OperatorRole[] },
): Promise<boolean> {
  const { subject, by, people, now, may = approvers } = of
  if (people > 1) await refuseNewOperator(c, by, now)
  const before = await read(c, [subject], [...may])
  const isFirst = filterOtherPersons(before, by).length === before.length
  const added = isFirst ? await insert(c, subject, by.operatorId, by.email, now) : 0
  const entry = { type: 'operator_approved', subject: `${by.email} ${subject}`, now, by: by.operatorId } as const
  if (added > 0) await recordOperatorAuditEntry(c, entry)
  const enough = countPersons(await read(c, [subject], [...may])) >= people
  if (!enough && added === 0) throw new Refusal('second_operator_needed')
  return enough
}
