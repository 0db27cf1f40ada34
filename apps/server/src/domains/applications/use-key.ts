import { applicationStatus, merchantStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { plainIp } from '../../kit/visitor.ts'
import { applicationByKey } from './store.ts'

/**
 * Returns the application of a secret key. Refuses an unknown or deleted key with `bad_key`. A valid key has its own
 * errors for a frozen or unapproved account, a disabled application and an address that is not whitelisted.
 */
export async function useKey(
  deps: Deps,
  input: { key: string; ip: string },
): Promise<{ merchantId: string; appid: string }> {
  const found = await applicationByKey(deps.pool, hashSecret(input.key))
  if (!found) throw new Refusal('bad_key')
  if (found.frozen) throw new Refusal('account_frozen')
  if (found.merchant_status !== merchantStatus.approved) throw new Refusal('merchant_not_open')
  if (found.status !== applicationStatus.enabled) throw new Refusal('application_disabled')
  if (found.ip_whitelist_enabled && !found.ip_whitelist.includes(plainIp(input.ip))) throw new Refusal('ip_not_allowed')
  return { merchantId: found.merchant_id, appid: found.appid }
}
