import { operatorRoles } from '@coffer/contract/operator/roles.ts'
import { all, type Queryable, run } from './db.ts'
import { Refusal } from './refusal.ts'

const roles = operatorRoles['POST /api/operator/v1/withdrawals/:id/approve'].map(role => `'${role}'`).join(', ')

/**
 * SQL condition on an approval: whoever gave it may still give one. An operator who was removed, or has another role since, does not
 * count; users of the command line have no account.
 */
export const approvalCounts = (of: string) => `(not exists (select from operators o where o.email = ${of}.who)
  or exists (select from operators o where o.email = ${of}.who and o.removed_at is null and o.role in (${roles})))`

const insert = run(
  'operator-approval-insert',
  'insert into operator_approvals (subject, who, created_at) values ($1, $2, $3) on conflict do nothing',
)
const read = all(
  'operator-approvals-read',
  `select subject, who from operator_approvals a where subject = any($1) and ${approvalCounts('a')} order by created_at, who`,
)

/** Reads whose approvals of each of some subjects count. */
export async function approvalsOf(c: Queryable, subjects: string[]): Promise<Map<string, string[]>> {
  const rows = await read(c, subjects)
  return new Map(subjects.map(subject => [subject, rows.flatMap(row => (row.subject === subject ? [row.who] : []))]))
}

/**
 * Records an operator's approval and returns whether enough people have given one. The caller must have locked what is approved.
 * Throws Refusal('second_operator_needed') when the same person approves again.
 */
export async function approveAs(
  c: Queryable,
  { subject, who, people, now }: { subject: string; who: string; people: number; now: number },
): Promise<boolean> {
  const added = await insert(c, subject, who, now)
  const enough = (await read(c, [subject])).length >= people
  if (!enough && added === 0) throw new Refusal('second_operator_needed')
  return enough
}
