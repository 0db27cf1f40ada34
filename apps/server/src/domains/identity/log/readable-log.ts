import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { auditColumns, auditCount, auditPage, readAuditEntriesBefore } from '../../../kit/audit.ts'
import { all, count, type Queryable } from '../../../kit/db.ts'
import type { Page } from '../../../kit/list.ts'
import type { MemberOfShop } from '../../../kit/member.ts'

/**
 * Entries of a person ($1). Who opened a shop has its chain: of that, only what was done in sessions of this person,
 * and attempts to be this person, since the person may be no owner of the shop any more.
 */
const own = `l.merchant_id = $1 and (not exists (select from merchants where id = $1)
  or l.person_id = '' and (l.session <> '' or l.outcome = 'refused'))`
const ownPage = all(
  'audit-own-page',
  `select ${auditColumns} from audit_log l where ${own} order by seq desc limit $2 offset $3`,
)
const ownCount = count('audit-own-count', `select count(*) as n from audit_log l where ${own}`)
const ownBefore = all(
  'audit-own-before',
  `select ${auditColumns} from audit_log l where ${own} and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
)

/** A member who reads a log. One who lacks a second factor that the shop requires sees nothing of the shop. */
export interface LogReader extends MemberOfShop {
  role: MerchantRole
  factorMissing?: boolean
}

const readsShop = ({ role, factorMissing }: LogReader) => role === 'owner' && !factorMissing

/** Reads a page of what a member may read, newest first: owners the log of the shop, others their own. */
export const readLogPage = (c: Queryable, reader: LogReader, page: Page) =>
  readsShop(reader) ? auditPage(c, reader.merchantId, page) : ownPage(c, reader.personId, page.limit, page.offset)

/** Counts what a member may read. */
export const countLog = (c: Queryable, reader: LogReader): Promise<number> =>
  readsShop(reader) ? auditCount(c, reader.merchantId) : ownCount(c, reader.personId)

/** Reads entries that a member may read, older than one (undefined: the newest), newest first. */
export const readLogBefore = (c: Queryable, reader: LogReader, before: number | undefined, limit: number) =>
  readsShop(reader)
    ? readAuditEntriesBefore(c, reader.merchantId, before, limit)
    : ownBefore(c, reader.personId, before, limit)
