import { languages } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { deviceName, plainIp, type Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { changeMerchant, type Merchant } from '../merchants/store.ts'
import { insertSession } from './sessions.ts'

/**
 * Opens a session for an authenticated merchant. With an authenticator, the token is only valid for the verification. The
 * merchant must be locked, so that a concurrent freeze either sees the session or prevents it.
 */
export async function openSession(
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
): Promise<{ token: string; verification: boolean }> {
  const verification = merchant.authenticator_secret !== null
  return { token: await addSession(deps, uow, merchant, from, verification), verification }
}

/** Completes a two-step sign-in. Returns a token with full access. */
export const openVerifiedSession = (deps: Deps, uow: UnitOfWork, merchant: Merchant, from: Visitor): Promise<string> =>
  addSession(deps, uow, merchant, from, false)

async function addSession(deps: Deps, uow: UnitOfWork, merchant: Merchant, from: Visitor, pending: boolean) {
  if (merchant.frozen) throw new Refusal('account_frozen')
  const token = newSecret()
  await insertSession(uow.c, {
    token_hash: hashSecret(token),
    id: newId(),
    merchant_id: merchant.id,
    pending,
    ip: plainIp(from.ip),
    device: deviceName(from.device),
    created_at: deps.clock(),
  })
  const language = languages[from.language].tag
  if (merchant.language !== language) await changeMerchant(uow.c, merchant.id, { language })
  if (!pending) recordEvent(deps, uow, { merchantId: merchant.id, type: 'login', from })
  return token
}
