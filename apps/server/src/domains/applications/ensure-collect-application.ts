import { applicationStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { first, tx } from '../../kit/db.ts'
import { newAppid } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newWebhookSecret } from '../../kit/secrets.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant } from '../merchants/store.ts'
import { defaultSettings, newSecretKey } from './create-application.ts'
import {
  collectApplicationNames,
  collectApplicationNamesSql,
  countApplications,
  insertApplication,
  webhookSecretSealPlace,
} from './store.ts'

const find = first(
  'application-collect',
  'select appid, status from applications where merchant_id = $1 and collects and deleted_at is null',
)
/** An application that the merchant made with the name becomes that of Collect: names are unique. */
const adopt = first(
  'application-collect-adopt',
  `update applications set collects = true where merchant_id = $1 and appid = (
     select appid from applications
     where merchant_id = $1 and lower(name) in (${collectApplicationNamesSql.toLowerCase()}) and deleted_at is null
     order by created_at, appid limit 1)
   returning appid, status`,
)

/**
 * Returns the merchant's application of Collect, whatever its name is now, and creates it in their language if needed.
 * Nobody learns its key, so that it needs no proof.
 */
export async function ensureCollectApplication(
  deps: Deps,
  { merchantId, from }: { merchantId: string; from: Visitor },
): Promise<string> {
  const known = await find(deps.pool, merchantId)
  if (known) return enabled(known)
  return tx(deps.pool, async (c, uow) => {
    const { language } = requireActiveMerchant(await lockMerchant(c, merchantId), { approved: true })
    const other = (await find(c, merchantId)) ?? (await adopt(c, merchantId))
    if (other) return enabled(other)
    if ((await countApplications(c, merchantId)) >= limits.applicationsMax) throw new Refusal('limit_reached')
    const appid = newAppid()
    const key = newSecretKey(deps)
    await insertApplication(c, {
      ...defaultSettings,
      name: collectApplicationNames[languageOf(language)],
      collects: true,
      merchant_id: merchantId,
      appid,
      status: applicationStatus.enabled,
      key_hash: hashSecret(key),
      key_masked: mask(key),
      secret_by: readMember(merchantId, from).personId,
      webhook_secret: deps.seal.seal(newWebhookSecret(), webhookSecretSealPlace(appid)),
      created_at: deps.clock(),
    })
    recordEvent(deps, uow, { merchantId, type: 'application_created', from, params: { appid } })
    return appid
  })
}

function enabled({ appid, status }: { appid: string; status: number }): string {
  if (status !== applicationStatus.enabled) throw new Refusal('application_disabled')
  return appid
}
