import { type KeyScope, keyScopeErrors, keyScopeSettings, listKeyScopes } from '@coffer/contract/kit/key-scopes.ts'
import { keyScopeLabels } from '@coffer/contract/labels/key-scopes.ts'
import type { KeyHolder, RequiredScope } from '../../http/context.ts'
import { first, type Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'

/** Names a scope that is missing. */
const detailOf = (scope: KeyScope) => ({
  en: `missing scope: ${keyScopeLabels.en[scope]} (${scope})`,
  'zh-CN': `缺少权限：${keyScopeLabels['zh-CN'][scope]}（${scope}）`,
})

/** Refuses a key without the scope of a call, by name. Keys from before scopes still manage webhook endpoints. */
export function requireKeyScope(
  { scopes, managesEndpoints }: Pick<KeyHolder, 'scopes' | 'managesEndpoints'>,
  { scope, beforeScopes }: RequiredScope,
): void {
  if (scopes.includes(scope) || (beforeScopes && managesEndpoints)) return
  throw new Refusal(keyScopeErrors[scope], { detail: detailOf(scope) })
}

const settingsNow = first(
  'application-scopes',
  `select ${Object.values(keyScopeSettings).join(', ')}, endpoints_allowed from applications
   where merchant_id = $1 and appid = $2 and deleted_at is null for share`,
)

/**
 * Checks the scope again in the transaction of a call, and keeps it until its end: it may have been taken away since
 * the key was authenticated.
 */
export async function recheckKeyScope(
  c: Queryable,
  { merchantId, appid }: Pick<KeyHolder, 'merchantId' | 'appid'>,
  needed: RequiredScope,
): Promise<void> {
  const found = await settingsNow(c, merchantId, appid)
  if (!found) throw new Refusal('bad_key')
  requireKeyScope({ scopes: listKeyScopes(found), managesEndpoints: found.endpoints_allowed }, needed)
}
