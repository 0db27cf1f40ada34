import { first, type Queryable, run } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { insertIncidents, lockIncidents } from './store.ts'

/** Seconds after which an incident whose cause was not seen again ends: longer than between two looks. */
export const unseenIncidentSeconds = 60
/** Seconds between two notes that a cause lasts. */
const notedEvery = 15

const find = first(
  'incident-lasting',
  `select id, coalesce(seen_at, created_at) as seen_at, detail = $4::jsonb as same from incidents
   where kind = $1 and chain_id is not distinct from $2 and resolved_at is null and detail @> $3::jsonb order by created_at limit 1`,
)
const see = run('incident-seen', 'update incidents set seen_at = $2 where id = $1')

/** Reasons of one incident that its record holds beside the present one. */
const reasonsMost = 20
/** SQL: what a reason says, without the times and amounts in it (`packages/contract/src/incidents/reasons.ts`). */
const codeOf = (reason: string) => `split_part(${reason}, ' | ', 1)`

/** Takes the present facts of an incident. A reason that another one replaces is entered into its record, each once. */
const change = run(
  'incident-changed',
  `with was as (
     select coalesce(part_of, id) as whole, detail ->> 'reason' as reason from incidents where id = $1
   ), entered as (
     insert into incident_entries (incident_id, what, who, text, created_at) select whole, 'changed', '', reason, $2 from was
     where reason is not null and ${codeOf('reason')} is distinct from ${codeOf(`$3::jsonb ->> 'reason'`)}
       and not exists (select from incident_entries e where e.incident_id = whole and e.what = 'changed' and ${codeOf('e.text')} = ${codeOf('was.reason')})
       and (select count(*) from incident_entries e where e.incident_id = whole and e.what = 'changed') < ${reasonsMost}
   )
   update incidents set detail = $3::jsonb, seen_at = $2 where id = $1`,
)

/** Ends open incidents at $4, and enters that into the record of each, or of the one that it is part of. */
const endedWhere = (condition: string) =>
  `with ended as (
     update incidents set resolved_at = $4 where ${condition} and resolved_at is null returning coalesce(part_of, id) as whole
   )
   insert into incident_entries (incident_id, what, who, text, created_at) select whole, 'ended', '', '', $4 from ended`

/** Ends the incidents of kinds, on a chain or on all (null), whose cause was last seen before $3. */
export const endUnseenIncidents = run(
  'incidents-end-unseen',
  endedWhere('kind = any($1::text[]) and ($2::text is null or chain_id = $2) and coalesce(seen_at, created_at) < $3'),
)

interface Lasting {
  kind: string
  chain_id: string | null
  /** The part of `detail` by which its open incident is found. */
  of: Record<string, unknown>
  detail: Record<string, unknown>
}

/**
 * Reports, in a transaction, a cause that lasts: opens its incident, or notes that it still lasts and what it is now.
 * Returns whether it is new. The incident ends with its cause, by `endUnseenIncidents`; nobody closes it.
 */
export async function reportLastingIncident(c: Queryable, { of, ...row }: Lasting, now: number): Promise<boolean> {
  const read = () => find(c, row.kind, row.chain_id, of, row.detail)
  let found = await read()
  if (!found) {
    await lockIncidents(c, row.chain_id ?? row.kind)
    found = await read()
  }
  if (found) {
    if (!found.same) await change(c, found.id, now, row.detail)
    else if (found.seen_at! <= now - notedEvery) await see(c, found.id, now)
    return false
  }
  await insertIncidents(c, [{ ...row, id: newId(), created_at: now }])
  return true
}

const endOne = run(
  'incident-end-lasting',
  endedWhere('kind = $1 and chain_id is not distinct from $2 and detail @> $3::jsonb'),
)

/** Ends the incident of a cause that is known to have passed. */
export const endLastingIncident = (
  c: Queryable,
  { kind, chain_id, of }: Omit<Lasting, 'detail'>,
  now: number,
): Promise<number> => endOne(c, kind, chain_id, of, now)
