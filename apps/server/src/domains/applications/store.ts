import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

/** An application of a merchant. `webhook_secret` is sealed. */
export type Application = Statements['application-by-id']['row']

const columns = `merchant_id, appid, name, status, key_masked, webhook_secret, logo, payment_logo, website, notify_url,
  payment_mode, mixed_payment, tolerance_permille, ip_whitelist_enabled, ip_whitelist, remark, created_at, deleted_at`

/** Reads an application by the hash of its secret key, with all fields that decide whether the key may be used. */
export const applicationByKey = first(
  'application-by-key',
  `select a.merchant_id, a.appid, a.status, a.ip_whitelist_enabled, a.ip_whitelist,
          m.status as merchant_status, m.frozen
   from applications a join merchants m on m.id = a.merchant_id
   where a.key_hash = $1 and a.deleted_at is null and m.deleted_at is null`,
)

export const applicationById = first(
  'application-by-id',
  `select ${columns} from applications where merchant_id = $1 and appid = $2 and deleted_at is null`,
)

const named = `merchant_id = $1 and deleted_at is null and ($2::text is null or strpos(lower(name), lower($2)) > 0)`

const page = all(
  'applications-page',
  `select ${columns} from applications where ${named} order by created_at desc, appid desc limit $3 offset $4`,
)

/** Reads a page of applications, newest first. `name` filters by substring; null matches all. */
export const applicationsPage = (c: Queryable, merchantId: string, name: string | null, { limit, offset }: Page) =>
  page(c, merchantId, name, limit, offset)

const count = first('applications-count', `select count(*) as n from applications where ${named}`)

export const applicationsCount = async (c: Queryable, merchantId: string, name: string | null): Promise<number> =>
  (await count(c, merchantId, name))!.n

/** Reads all applications, then the deleted ones that have payments. */
export const allApplications = all(
  'applications-all',
  `select appid, name, status, deleted_at from applications a
   where merchant_id = $1 and (deleted_at is null or exists (
     select 1 from payments p where p.merchant_id = a.merchant_id and p.appid = a.appid))
   order by deleted_at is not null, created_at desc, appid desc limit 1000`,
)

type NewApplication = Omit<Application, 'deleted_at'> & { key_hash: Buffer }

const insert = run(
  'application-insert',
  `insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, logo,
     payment_logo, website, notify_url, payment_mode, mixed_payment, tolerance_permille, ip_whitelist_enabled,
     ip_whitelist, remark, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
   on conflict (merchant_id, lower(name)) where deleted_at is null do nothing returning 1`,
)

/** Returns false if the merchant has another application with that name. */
export async function insertApplication(c: Queryable, app: NewApplication): Promise<boolean> {
  const inserted = await insert(
    c,
    app.merchant_id,
    app.appid,
    app.name,
    app.status,
    app.key_hash,
    app.key_masked,
    app.webhook_secret,
    app.logo,
    app.payment_logo,
    app.website,
    app.notify_url,
    app.payment_mode,
    app.mixed_payment,
    app.tolerance_permille,
    app.ip_whitelist_enabled,
    JSON.stringify(app.ip_whitelist),
    app.remark,
    app.created_at,
  )
  return inserted === 1
}

export type ApplicationChanges = Partial<
  Omit<Application, 'merchant_id' | 'appid' | 'created_at'> & { key_hash: Buffer }
>

/** Updates the given columns. Returns false if the merchant has no such application. Column names are never input. */
export async function changeApplication(
  c: Queryable,
  merchantId: string,
  appid: string,
  changes: ApplicationChanges,
): Promise<boolean> {
  const names = Object.keys(changes).sort() as (keyof ApplicationChanges)[]
  const values = names.map(name => (name === 'ip_whitelist' ? JSON.stringify(changes[name]) : changes[name]))
  // Not a named statement: every set of columns has its own text.
  const set = names.map((name, index) => `${name} = $${index + 3}`).join(', ')
  const result = await c.query(
    `update applications set ${set || 'name = name'} where merchant_id = $1 and appid = $2 and deleted_at is null`,
    [merchantId, appid, ...values],
  )
  return result.rowCount === 1
}

/** Deletes all applications of a merchant. */
export const deleteApplications = run(
  'applications-delete',
  'update applications set deleted_at = $2 where merchant_id = $1 and deleted_at is null',
)
