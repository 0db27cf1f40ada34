import type { ErrorName } from '@coffer/contract/errors.ts'
import { all, count, type Queryable, run } from './db.ts'
import type { Page } from './list.ts'
import type { UnitOfWorkPart } from './unit-of-work.ts'
import { classifyIp, deviceName, type IpLocationLookup, plainIp, type Visitor } from './visitor.ts'

/** Merchant id of entries about the operator and about accounts that do not exist. */
export const noMerchantId = ''

/**
 * An entry of the audit log.
 * - `merchant_id`: whose chain the entry belongs to
 * - `reason`: the refusal; empty when `outcome` is `done`
 * - `factor`: what confirmed the identity, such as `password` or `google`
 * - `subject`: what it concerns besides the account, such as an application
 * - `ip`, `device`, `address`: the origin; empty for the operator. `address` is 'private', 'unknown', or the place as
 *   JSON, a text by language. It is stored, because networks move and the operator replaces the database of places: the
 *   entry, and the hash over it, say where the address was at the time.
 * - `session`: as `formatSessionName` writes it; empty without one
 * - `person_id`: who did it, where it is not the person whose id the chain has; else empty
 */
export interface AuditEntry {
  merchant_id: string
  type: string
  outcome: 'done' | 'refused'
  reason: ErrorName | ''
  factor: string
  subject: string
  ip: string
  device: string
  address: string
  session: string
  person_id: string
  created_at: number
}

const append = run('audit-append', 'select audit_append($1::jsonb)')

/**
 * Appends entries to the audit log, each to the chain of its merchant. Waits for other writers of these merchants only.
 */
export const appendAudit = (c: Queryable, rows: readonly AuditEntry[]) => append(c, JSON.stringify(rows))

/** Entries that are written in the transaction of what they record. */
export const auditEntries: UnitOfWorkPart<AuditEntry> = { name: 'audit log', write: appendAudit }

/** Adds an entry to the operator's chain. The database refuses changes of operators and their approvals without one. */
export const recordOperatorAuditEntry = (
  c: Queryable,
  {
    type,
    subject,
    now,
    by = '',
  }: {
    type: 'operator_changed' | 'operator_approved' | 'sealed_again'
    subject: string
    now: number
    /** Id of the operator who did it; empty: a user of the command line. */
    by?: string
  },
): Promise<unknown> =>
  appendAudit(c, [
    {
      merchant_id: noMerchantId,
      type,
      outcome: 'done',
      reason: '',
      factor: '',
      subject,
      ...noOrigin,
      session: '',
      person_id: by,
      created_at: now,
    },
  ])

const noOrigin = { ip: '', device: '', address: '' }

/** Returns where a visitor is, as entries store it. A database of places has nothing to say of private addresses. */
export function describeIpLocation({ places }: { places: IpLocationLookup }, ip: string): string {
  const range = classifyIp(ip)
  const place = range === 'unknown' && places(plainIp(ip))
  return place ? JSON.stringify(place) : range
}

/** Returns the fields of an entry that describe its origin; null stands for the operator. */
export const auditOriginOf = (
  deps: { places: IpLocationLookup },
  from: Visitor | null,
): Pick<AuditEntry, 'ip' | 'device' | 'address' | 'factor' | 'session'> =>
  from
    ? {
        ip: plainIp(from.ip),
        device: deviceName(from.device),
        address: describeIpLocation(deps, from.ip),
        factor: from.factor ?? '',
        session: from.session?.name ?? '',
      }
    : { ip: '', device: '', address: '', factor: '', session: '' }

/** Names a session in entries, which outlive it. */
export const formatSessionName = (session: { id: string; device: string; created_at: number }): string =>
  `${session.id} ${session.created_at} ${session.device}`

/** Reads a session from an entry; null without one. */
export function readSessionName(name: string): { id: string; device: string; created_time: number } | null {
  const [id, since, ...device] = name.split(' ')
  return id && since ? { id, created_time: Number(since), device: device.join(' ') } : null
}

/** Columns of the log `l` as its readers see them. */
export const auditColumns = `seq, type, outcome, reason, factor, subject, ip, device, address, created_at, session,
  coalesce((select email from persons where id = l.person_id), '') as person`

const page = all(
  'audit-page',
  `select ${auditColumns} from audit_log l where merchant_id = $1
     and seq <= (select seq from audit_heads where merchant_id = $1) - $3::bigint
   order by seq desc limit $2`,
)

/** Reads a page of a merchant's entries, newest first. Later pages cost no more than the first one. */
export const auditPage = (c: Queryable, merchantId: string, { limit, offset }: Page) =>
  page(c, merchantId, limit, offset)

/** Counts a merchant's entries: the number of the last one. */
export const auditCount = count(
  'audit-count',
  'select coalesce(max(seq), 0) as n from audit_heads where merchant_id = $1',
)

/** Reads entries older than $2 (null: the newest), newest first. */
export const readAuditEntriesBefore = all(
  'audit-before',
  `select ${auditColumns} from audit_log l where merchant_id = $1 and ($2::bigint is null or seq < $2)
   order by seq desc limit $3`,
)
