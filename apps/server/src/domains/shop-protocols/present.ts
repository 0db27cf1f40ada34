import { createPublicKey } from 'node:crypto'
import { type ErrorName, errors, type RouteData } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { formatRefusalText } from '../../http/errors.ts'
import { connectionPrivateKeySealPlace, type RefusalRow, type ShopConnection } from './store.ts'

/** Our public RSA key of a connection in base64, as shops take it; empty where its protocol has none. */
export function publicKeyText(deps: Deps, { id, private_key }: Pick<ShopConnection, 'id' | 'private_key'>): string {
  if (!private_key) return ''
  const key = createPublicKey(deps.seal.open(private_key, connectionPrivateKeySealPlace(id)))
  return key.export({ type: 'spki', format: 'der' }).toString('base64')
}

/** The URL to enter in the shop. Where a protocol sends no id, the URL holds it. */
export const shopUrl = ({ config }: Deps, { id, protocol }: Pick<ShopConnection, 'id' | 'protocol'>): string =>
  protocol === 'epusdt' || protocol === 'bepusdt' ? `${config.publicUrl}/shop/${id}` : config.publicUrl

type Listed = RouteData<'GET /api/v1/user/shop/list'>['list'][number]

/** A connection as the back-office shows it. */
export const presentConnection = (deps: Deps, row: ShopConnection): Omit<Listed, 'refusals'> => ({
  id: row.id,
  appid: row.appid,
  protocol: row.protocol,
  currency: row.currency,
  notify_url: row.notify_url,
  callback_method: row.callback_method,
  key: row.key_masked,
  key_used: row.key_used,
  url: shopUrl(deps, row),
  previous_until: row.previous_until > deps.clock() ? row.previous_until : 0,
  platform_public_key: publicKeyText(deps, row),
  created_time: row.created_at,
})

/** A refusal as the merchant reads it. */
export const presentRefusal = (
  { code, detail, ...row }: RefusalRow,
  language: Language,
): Listed['refusals'][number] => ({
  code,
  text: formatRefusalText(nameOfCode.get(code) ?? 'operation_failed', language, detail ?? undefined),
  field: row.field,
  count: row.count,
  last_time: row.last_at,
})

const nameOfCode = new Map(Object.entries(errors).map(([name, { code }]) => [code, name as ErrorName]))
