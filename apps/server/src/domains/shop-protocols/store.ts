import { applicationStatus } from '@coffer/contract/codes.ts'
import { all, count, first, run, type Statements } from '../../kit/db.ts'
import type { SealPlace } from '../../kit/seal.ts'

/** Where the key of a connection is sealed, and our RSA key for it. */
export const connectionKeySealPlace = (id: string): SealPlace => ({ column: 'shop_connections.key', row: id })
export const connectionPrivateKeySealPlace = (id: string): SealPlace => ({
  column: 'shop_connections.private_key',
  row: id,
})
export const shopWebhookSecretSealPlace = (id: string): SealPlace => ({
  column: 'shop_connections.webhook_secret',
  row: id,
})

const columns = `s.id, s.merchant_id, s.appid, s.protocol, s.currency, s.notify_url, s.callback_method, s.key, s.key_masked, s.key_used, s.previous_key,
  s.previous_until, s.shop_public_key, s.previous_public_key, s.private_key, s.webhook_secret, s.webhook_everything, s.permissions, s.created_at, s.ended_at`

/** A connection of a shop. Its keys are sealed. */
export type ShopConnection = Statements['shop-connection']['row']

/** Reads a connection, also one that has ended, for callbacks of its orders. */
export const connectionById = first('shop-connection', `select ${columns} from shop_connections s where s.id = $1`)

/** Reads a connection that has not ended, with everything that decides whether it may be used. */
export const usableConnection = first(
  'shop-connection-usable',
  `select ${columns}, m.status as merchant_status, m.frozen, a.status as application_status, a.payment_mode, a.rates,
     a.rates_version, a.refunds_allowed, a.ip_whitelist_enabled, a.ip_whitelist, greatest(a.opened_at, s.opened_at) as opened_at
   from shop_connections s join merchants m on m.id = s.merchant_id
     join applications a on a.merchant_id = s.merchant_id and a.appid = s.appid
   where s.id = $1 and s.ended_at is null and a.deleted_at is null and m.deleted_at is null`,
)

/** Finds the connection of a key, current or replaced and valid at $2, for protocols that send no id. */
export const connectionOfKey = first(
  'shop-connection-of-key',
  `select id from shop_connections
   where ended_at is null and (key_hash = $1 or previous_key_hash = $1 and previous_until > $2)`,
)

/** Reads the connections of an application that have not ended, newest first. */
export const listConnections = all(
  'shop-connections',
  `select ${columns} from shop_connections s
   where s.merchant_id = $1 and s.appid = $2 and s.ended_at is null order by s.created_at desc, s.id`,
)

export const countConnections = count(
  'shop-connections-count',
  'select count(*) as n from shop_connections where merchant_id = $1 and appid = $2 and ended_at is null',
)

/** Locks a connection of a merchant that has not ended. */
export const lockConnection = first(
  'shop-connection-lock',
  `select ${columns} from shop_connections s where s.merchant_id = $1 and s.id = $2 and s.ended_at is null for no key update`,
)

/** Whether an application exists and is enabled. */
export const enabledApplication = first(
  'shop-application',
  `select appid from applications
   where merchant_id = $1 and appid = $2 and deleted_at is null and status = ${applicationStatus.enabled}`,
)

/** Returns 0 when another connection has the id. */
export const insertConnection = run(
  'shop-connection-insert',
  `insert into shop_connections (id, merchant_id, appid, protocol, currency, notify_url, key, key_hash, key_masked, shop_public_key,
     private_key, created_at, opened_at, callback_method, permissions, key_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15) on conflict (id) do nothing`,
)

/** Replaces the key at $7 by one that $8 made; the old one stays until $5 (Unix seconds). */
export const replaceKey = run(
  'shop-connection-replace-key',
  `update shop_connections set previous_key = case when $5::bigint > 0 then key else '' end,
     previous_key_hash = case when $5 > 0 then key_hash end, previous_until = $5,
     previous_public_key = case when $5 > 0 then shop_public_key else '' end,
     previous_key_by = case when $5 > 0 then key_by else '' end,
     key = $2, key_hash = $3, key_masked = $4, key_used = false, shop_public_key = $6, opened_at = $7, key_by = $8
   where id = $1`,
)

export const endPreviousKey = run(
  'shop-connection-end-previous',
  `update shop_connections set previous_key = '', previous_key_hash = null, previous_until = 0, previous_public_key = '',
     previous_key_by = ''
   where id = $1`,
)

export const endConnection = run(
  'shop-connection-end',
  'update shop_connections set ended_at = $2 where id = $1 and ended_at is null',
)

/**
 * Sets where callbacks of new orders go, whether for all events, and, unless it is empty, the sealed secret that signs
 * them.
 */
export const setWebhook = run(
  'shop-connection-webhook',
  `update shop_connections set notify_url = $2, webhook_secret = coalesce(nullif($3, ''), webhook_secret), webhook_everything = $4
   where id = $1 and ended_at is null`,
)

/** Notes that the shop uses the current key. */
export const markConnectionKeyUsed = run(
  'shop-connection-key-used',
  'update shop_connections set key_used = true where id = $1 and key = $2 and not key_used',
)

/** Counts a refusal of a connection that has not ended and speaks one of the protocols. */
export const countShopRefusal = run(
  'shop-refusal-write',
  `insert into shop_refusals as r (merchant_id, connection, code, field, detail, count, last_at)
   select s.merchant_id, s.id, $3, $4, $5, $6, $7 from shop_connections s
   where s.id = $1 and s.protocol = any($2) and s.ended_at is null
   on conflict (merchant_id, connection, code, field) do update
     set count = r.count + excluded.count, last_at = excluded.last_at, detail = excluded.detail`,
)

/** Drops all refusals of a connection but the $2 newest. */
export const dropOldRefusals = run(
  'shop-refusal-drop-old',
  `delete from shop_refusals r using shop_connections s
   where s.id = $1 and r.merchant_id = s.merchant_id and r.connection = s.id and (r.code, r.field) not in
     (select k.code, k.field from shop_refusals k where k.merchant_id = s.merchant_id and k.connection = s.id
      order by k.last_at desc, k.code, k.field limit $2)`,
)

/** Deletes the refusals that were last met before $1. */
export const deleteRefusals = run('shop-refusals-delete', 'delete from shop_refusals where last_at < $1')

export type RefusalRow = Statements['shop-refusals']['row']

/** Reads the refusals since $3 of the connections of an application that have not ended, newest first. */
export const listRefusals = all(
  'shop-refusals',
  `select r.connection, r.code, r.field, r.detail, r.count, r.last_at
   from shop_connections s join shop_refusals r on r.merchant_id = s.merchant_id and r.connection = s.id
   where s.merchant_id = $1 and s.appid = $2 and s.ended_at is null and r.last_at >= $3
   order by r.last_at desc, r.code, r.field`,
)
