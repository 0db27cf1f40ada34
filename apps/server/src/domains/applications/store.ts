import { keyScopeSettings } from '@coffer/contract/kit/key-scopes.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import type { SealPlace } from '../../kit/seal.ts'

/** Name of the application of payments that a merchant collects without a developer. */
export const collectApplicationNames: Record<Language, string> = { en: 'Collect', 'zh-CN': '收款' }
/** The names as a list of SQL. */
export const collectApplicationNamesSql = Object.values(collectApplicationNames)
  .map(name => `'${name}'`)
  .join(', ')

/** Where an application's webhook secret is sealed. */
export const webhookSecretSealPlace = (appid: string): SealPlace => ({
  column: 'applications.webhook_secret',
  row: appid,
})

/** Where the secret of a webhook endpoint is sealed. */
export const endpointSecretSealPlace = (id: string): SealPlace => ({ column: 'webhook_endpoints.secret', row: id })

/** An application of a merchant. `webhook_secret` is sealed. */
export type Application = Statements['application-by-id']['row']

/** What the key may do. */
const rightColumns = [...Object.values(keyScopeSettings), 'marks_allowed', 'endpoints_allowed'] as const
const rights = rightColumns.join(', ')
const rightsOf = (row: string) => rightColumns.map(name => `${row}.${name}`).join(', ')

const given = `merchant_id, appid, name, status, key_masked, webhook_secret, logo, payment_logo, website, notify_url,
  payment_mode, mixed_payment, tolerance_permille, ip_whitelist_enabled, ip_whitelist, callbacks_muted, ${rights},
  opened_at, embed_origins, remark, secret_by,
  created_at, deleted_at`
const columns = `${given}, previous_secret_by, previous_key_masked, previous_key_until, previous_webhook_until`

const keyColumns = `merchant_id, appid, status, payment_mode, ip_whitelist_enabled, ip_whitelist, ${rights}, opened_at, rates, rates_version`

/**
 * Reads the application of a secret key, current or replaced and valid at $2, with everything that decides whether the
 * key can be used. Each is a lookup in its own unique index: one condition on both columns reads the whole table until
 * it is analyzed.
 */
export const applicationByKey = first(
  'application-by-key',
  `select a.merchant_id, a.appid, a.status, a.payment_mode, a.ip_whitelist_enabled, a.ip_whitelist, ${rightsOf('a')}, a.opened_at,
          a.secret_by, a.rates, a.rates_version, m.status as merchant_status, m.frozen
   from (
     select ${keyColumns}, secret_by from applications where key_hash = $1 and deleted_at is null
     union all
     select ${keyColumns}, previous_secret_by from applications where previous_key_hash = $1 and previous_key_until > $2 and deleted_at is null
     limit 1
   ) a join merchants m on m.id = a.merchant_id
   where m.deleted_at is null`,
)

const byId = `select ${columns} from applications where merchant_id = $1 and appid = $2 and deleted_at is null`
export const applicationById = first('application-by-id', byId)
export const lockApplication = first('application-lock', `${byId} for no key update`)

/** Applications, newest first, by a part of the name. */
export const { page: listApplications } = defineList({
  name: 'applications',
  table: 'applications',
  row: 'a',
  key: 'appid',
  columns,
  where: 'a.deleted_at is null',
  filters: { name: { column: name => `strpos(lower(a.name), lower(${name}::text)) > 0` } },
})

export const readStoredRates = first(
  'application-rates',
  'select rates from applications where merchant_id = $1 and appid = $2 and deleted_at is null',
)

/** Orders that were planned by the earlier rates are not inserted. */
export const updateStoredRates = run(
  'application-set-rates',
  `update applications set rates = $3, rates_version = rates_version + 1
   where merchant_id = $1 and appid = $2 and deleted_at is null`,
)

export const countApplications = count(
  'applications-count',
  'select count(*) as n from applications where merchant_id = $1 and deleted_at is null',
)

/** Reads all applications, then deleted ones that have payments. */
export const allApplications = all(
  'applications-all',
  `select appid, name, status, collects, deleted_at from applications a
   where merchant_id = $1 and (deleted_at is null or exists (
     select 1 from payments p where p.merchant_id = a.merchant_id and p.appid = a.appid))
   order by deleted_at is not null, created_at desc, appid desc limit 1000`,
)

const insert = run(
  'application-insert',
  `insert into applications (${given}, collects, key_hash)
   select ${given}, collects, $2 from jsonb_populate_record(null::applications, $1)
   on conflict (merchant_id, lower(name)) where deleted_at is null do nothing returning 1`,
)

/** Returns false when the merchant has another application with the name. */
export const insertApplication = async (
  c: Queryable,
  {
    key_hash,
    ...row
  }: Omit<Application, 'deleted_at' | 'opened_at' | `previous_${string}`> & { collects?: boolean; key_hash: Buffer },
): Promise<boolean> =>
  (await insert(c, JSON.stringify({ collects: false, ...row, opened_at: row.created_at }), key_hash)) === 1

export type ApplicationColumnChanges = Partial<
  Omit<Application, 'merchant_id' | 'appid' | 'created_at'> & {
    key_hash: Buffer
    previous_key_hash: Buffer | null
    previous_webhook_secret: string
    previous_secret_by: string
  }
>

/** Updates columns, whose names are never input. Returns false when the merchant has no such application. */
export async function changeApplication(
  c: Queryable,
  merchantId: string,
  appid: string,
  changes: ApplicationColumnChanges,
): Promise<boolean> {
  const names = Object.keys(changes).sort() as (keyof ApplicationColumnChanges)[]
  const values = names.map(name => (Array.isArray(changes[name]) ? JSON.stringify(changes[name]) : changes[name]))
  // Not a named statement: its text depends on the columns.
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

const keepKey = run(
  'application-keep-key',
  `update applications set previous_key_hash = key_hash, previous_key_masked = key_masked, previous_key_until = $3,
     previous_secret_by = secret_by
   where merchant_id = $1 and appid = $2 and deleted_at is null`,
)
const keepWebhookSecret = run(
  'application-keep-webhook-secret',
  `update applications set previous_webhook_secret = webhook_secret, previous_webhook_until = $3
   where merchant_id = $1 and appid = $2 and deleted_at is null`,
)

export type SecretTarget = 'secret_key' | 'webhook_secret'

/** Keeps the current secret as the replaced one until a time (unix seconds), before it is replaced. */
export const storeReplacedSecret = (
  c: Queryable,
  merchantId: string,
  appid: string,
  target: SecretTarget,
  until: number,
) => (target === 'secret_key' ? keepKey : keepWebhookSecret)(c, merchantId, appid, until)

/** Column values without a replaced secret. */
export const clearedPreviousSecret = {
  secret_key: { previous_key_hash: null, previous_key_masked: '', previous_key_until: 0, previous_secret_by: '' },
  webhook_secret: { previous_webhook_secret: '', previous_webhook_until: 0 },
} as const
