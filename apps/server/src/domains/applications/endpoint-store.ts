import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'

/** A webhook endpoint. Its secret is sealed, and not read. */
export type StoredEndpoint = Statements['webhook-endpoints']['row']

const columns = 'id, url, description, muted, enabled, previous_until, created_at'
const ofOne = 'where merchant_id = $1 and appid = $2 and id = $3 and removed_at is null'

/** Webhook endpoints of an application, newest first. */
export const listEndpoints = all(
  'webhook-endpoints',
  `select ${columns} from webhook_endpoints where merchant_id = $1 and appid = $2 and removed_at is null
   order by created_at desc, id desc limit 100`,
)
export const countEndpoints = count(
  'webhook-endpoints-count',
  'select count(*) as n from webhook_endpoints where merchant_id = $1 and appid = $2 and removed_at is null',
)
export const readEndpoint = first('webhook-endpoint', `select ${columns} from webhook_endpoints ${ofOne}`)

const insert = run(
  'webhook-endpoint-insert',
  `insert into webhook_endpoints (merchant_id, appid, id, url, description, muted, secret, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (merchant_id, appid, url) where removed_at is null do nothing returning 1`,
)
export interface NewEndpoint {
  merchantId: string
  appid: string
  id: string
  url: string
  description: string
  muted: readonly string[]
  /** Sealed. */
  secret: string
  now: number
}

/** Returns false when the application has another endpoint with the URL. */
export const insertEndpoint = async (c: Queryable, row: NewEndpoint): Promise<boolean> => {
  const { merchantId, appid, id, url, description, muted, secret, now } = row
  return (await insert(c, merchantId, appid, id, url, description, JSON.stringify(muted), secret, now)) > 0
}

/** Changes what is not null. */
export const changeEndpointRow = first(
  'webhook-endpoint-change',
  `update webhook_endpoints set url = coalesce($4, url), description = coalesce($5, description), muted = coalesce($6::jsonb, muted),
     enabled = coalesce($7, enabled)
   ${ofOne} returning ${columns}`,
)
/** Replaces the secret; the one before signs too until a time. */
export const replaceEndpointSecret = first(
  'webhook-endpoint-renew',
  `update webhook_endpoints set previous_secret = case when $5::bigint > $6::bigint then secret else '' end, previous_until = $5, secret = $4
   ${ofOne} returning ${columns}`,
)
export const removeEndpointRow = first(
  'webhook-endpoint-remove',
  `update webhook_endpoints set removed_at = $4 ${ofOne} returning ${columns}`,
)
