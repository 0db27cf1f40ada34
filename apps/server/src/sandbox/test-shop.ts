import { applicationStatus, merchantStatus } from '@coffer/contract/codes.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import type { Deps } from '../deps.ts'
import { defaultSettings } from '../domains/applications/create-application.ts'
import {
  applicationByKey,
  changeApplication,
  insertApplication,
  listApplications,
  webhookSecretSealPlace,
} from '../domains/applications/store.ts'
import { createMerchant } from '../domains/merchants/create-merchant.ts'
import { changeMerchant, merchantByEmail } from '../domains/merchants/store.ts'
import { tx } from '../kit/db.ts'
import { newAppid } from '../kit/ids.ts'
import { hashSecret } from '../kit/secrets.ts'
import { deriveTestWebhookSecret, testLoginCredentials } from './test-login-credentials.ts'

const name = 'Test shop'

/**
 * Makes a secret key usable: creates the approved merchant and its application, or gives the key to the existing one.
 */
export async function ensureTestShop(deps: Deps, key: string): Promise<void> {
  if (await applicationByKey(deps.pool, hashSecret(key), deps.clock())) return
  const { id } = (await merchantByEmail(deps.pool, testLoginCredentials.email)) ?? (await makeMerchant(deps))
  const secretsOf = (appid: string) => ({
    key_hash: hashSecret(key),
    key_masked: mask(key),
    secret_by: id,
    webhook_secret: deps.seal.seal(deriveTestWebhookSecret(key), webhookSecretSealPlace(appid)),
  })
  const { rows: named } = await listApplications(deps.pool, id, { name }, { limit: 50, offset: 0 })
  const existing = named.find(each => each.name === name)
  if (existing) return void (await changeApplication(deps.pool, id, existing.appid, secretsOf(existing.appid)))
  const appid = newAppid()
  await insertApplication(deps.pool, {
    ...defaultSettings,
    ...secretsOf(appid),
    merchant_id: id,
    appid,
    name,
    status: applicationStatus.enabled,
    created_at: deps.clock(),
  })
}

async function makeMerchant(deps: Deps): Promise<{ id: string }> {
  const password_hash = await deps.passwords.hash(testLoginCredentials.password, 'test shop')
  const from = { ip: '127.0.0.1', device: 'npm start', language: 'en' } as const
  return tx(deps.pool, async (c, uow) => {
    const merchant = (await createMerchant(deps, uow, {
      email: testLoginCredentials.email,
      name,
      password_hash,
      from,
    }))!
    await changeMerchant(c, merchant.id, { status: merchantStatus.approved })
    return merchant
  })
}
