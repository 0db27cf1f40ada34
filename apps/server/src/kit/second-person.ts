import { all, type Queryable, run } from './db.ts'
import { Refusal } from './refusal.ts'

const insert = run(
  'operator-approval-insert',
  'insert into operator_approvals (subject, who, created_at) values ($1, $2, $3) on conflict do nothing',
)
const read = all(
  'operator-approvals-read',
  'select subject, who from operator_approvals where subject = any($1) order by created_at, who',
)

/** Reads who has approved each of some subjects. */
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
