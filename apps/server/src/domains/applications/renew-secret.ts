import { mask } from '@coffer/contract/validators.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { newSecretKey, newWebhookSecret } from './create-application.ts'
import { changeApplication } from './store.ts'

/** Replaces the secret key or webhook secret of an application and returns the new one. The old one stops at once. */
export async function renewSecret(
  deps: Deps,
  input: {
    merchantId: string
    appid: string
    target: 'secret_key' | 'webhook_secret'
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<{ appid: string; secret_key?: string; webhook_secret?: string }> {
  const { merchantId, appid, target } = input
  await throttleChanges(deps, merchantId)
  const consume = await checkProof(deps, { merchantId, proof: input.proof, action: 'application' })
  const secret = target === 'secret_key' ? newSecretKey(deps) : newWebhookSecret()
  const changes =
    target === 'secret_key'
      ? { key_hash: hashSecret(secret), key_masked: mask(secret) }
      : { webhook_secret: deps.seal.seal(secret) }
  const type = target === 'secret_key' ? 'secret_key_renewed' : 'webhook_secret_renewed'
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = await lockActiveMerchant(c, merchantId, { approved: true })
    if (!(await changeApplication(c, merchantId, appid, changes))) throw new Refusal('application_not_exist')
    await consume(c)
    recordEvent(deps, uow, { merchantId, type, from: input.from, params: { appid } })
    return locked
  })
  mailEvent(deps, merchant, type, appid)
  return { appid, [target]: secret }
}
