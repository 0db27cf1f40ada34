import { parseShopOrigin } from '@coffer/contract/codes/shops.ts'
import {
  applicationStatus,
  merchantStatus,
  paymentMode,
  type SelectableEvent,
  selectableEvents,
} from '@coffer/contract/codes.ts'
import type { KeyScopeSetting } from '@coffer/contract/kit/key-scopes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newAppid } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret, newWebhookSecret } from '../../kit/secrets.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { assertAccountNotHeld } from '../merchants/hold.ts'
import { lockMerchant } from '../merchants/store.ts'
import { isOwnUpload } from '../pictures/store.ts'
import { assertMayGiveRights } from './money-keys.ts'
import { type Application, countApplications, insertApplication, webhookSecretSealPlace } from './store.ts'

/** Settings that a merchant may change. */
export type ApplicationSettings = Pick<
  Application,
  | 'name'
  | 'logo'
  | 'payment_logo'
  | 'website'
  | 'notify_url'
  | 'payment_mode'
  | 'mixed_payment'
  | 'tolerance_permille'
  | 'ip_whitelist_enabled'
  | 'ip_whitelist'
  | 'callbacks_muted'
  | KeyScopeSetting
  | 'marks_allowed'
  | 'endpoints_allowed'
  | 'embed_origins'
  | 'remark'
>
type Wire = Omit<ApplicationSettings, 'callbacks_muted'> & { callback_events: readonly SelectableEvent[] }
/** Partial settings of a request. */
export type ApplicationSettingsInput = { [key in keyof Wire]?: Wire[key] | undefined }

/** Settings of a new application. */
export const defaultSettings: Omit<ApplicationSettings, 'name'> = {
  logo: '',
  payment_logo: '',
  website: '',
  notify_url: '',
  payment_mode: paymentMode.contract,
  mixed_payment: true,
  tolerance_permille: 0,
  ip_whitelist_enabled: false,
  ip_whitelist: [],
  callbacks_muted: [],
  read_allowed: true,
  orders_allowed: true,
  refunds_allowed: false,
  payouts_allowed: false,
  marks_allowed: false,
  settings_allowed: false,
  members_allowed: false,
  endpoints_allowed: false,
  embed_origins: [],
  remark: '',
}

/** Creates an application of an approved merchant. Returns both secrets, which are never shown again. */
export async function createApplication(
  deps: Deps,
  input: {
    merchantId: string
    settings: ApplicationSettingsInput & { name: string }
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<{ appid: string; secret_key: string; webhook_secret: string }> {
  const { merchantId, from } = input
  const settings = { ...defaultSettings, ...toStoredSettings(input.settings), name: input.settings.name.trim() }
  checkListedRights(settings)
  checkOrigins(deps, settings)
  await throttleChanges(deps, merchantId)
  await checkNotifyUrl(deps, settings.notify_url)
  const consume = await checkProof(deps, {
    by: readMember(merchantId, input.from),
    proof: input.proof,
    action: 'application',
  })
  const secret_key = newSecretKey(deps)
  const webhook_secret = newWebhookSecret()
  const appid = newAppid()
  await tx(deps.pool, async (c, uow) => {
    const merchant = requireActiveMerchant(await lockMerchant(c, merchantId))
    if (merchant.status !== merchantStatus.approved) throw new Refusal('merchant_not_open')
    assertAccountNotHeld(deps, merchant)
    if ((await countApplications(c, merchantId)) >= limits.applicationsMax) throw new Refusal('limit_reached')
    await checkLogos(c, merchantId, settings)
    assertMayGiveRights(input.from, settings)
    await consume(c)
    const added = await insertApplication(c, {
      ...settings,
      merchant_id: merchantId,
      appid,
      status: applicationStatus.enabled,
      key_hash: hashSecret(secret_key),
      key_masked: mask(secret_key),
      secret_by: readMember(merchantId, from).personId,
      webhook_secret: deps.seal.seal(webhook_secret, webhookSecretSealPlace(appid)),
      created_at: deps.clock(),
    })
    if (!added) throw new Refusal('name_duplicate', { field: 'name' })
    recordEvent(deps, uow, { merchantId, type: 'application_created', from, params: { appid } })
    if (settings.payouts_allowed || settings.refunds_allowed)
      recordEvent(deps, uow, { merchantId, type: 'payouts_allowed', from, params: { appid } })
    if (settings.members_allowed)
      recordEvent(deps, uow, { merchantId, type: 'members_allowed', from, params: { appid } })
  })
  return { appid, secret_key, webhook_secret }
}

/** What a key does from listed addresses only: it takes money out, or says who belongs to the shop. */
export const listedRights = ['payouts_allowed', 'refunds_allowed', 'members_allowed'] as const

/** Refuses payouts and members by a key that works from everywhere. */
export function checkListedRights(
  settings: Pick<ApplicationSettings, (typeof listedRights)[number] | 'ip_whitelist_enabled' | 'ip_whitelist'>,
): void {
  const { ip_whitelist_enabled, ip_whitelist } = settings
  if (listedRights.some(right => settings[right]) && !(ip_whitelist_enabled && ip_whitelist.length > 0))
    throw new Refusal('ip_whitelist_needed', { field: 'ip_whitelist' })
}

/** Refuses pages over http to frame checkouts, but in the sandbox and on the merchant's own machine. */
export function checkOrigins(
  { config }: Deps,
  { embed_origins = [] }: Pick<ApplicationSettingsInput, 'embed_origins'>,
): void {
  if (embed_origins.some(each => parseShopOrigin(each, config.mode === 'sandbox') !== each))
    throw new Refusal('https_needed', { field: 'embed_origins' })
}

/** Makes a secret key: `sk_test_` in the sandbox, else `sk_live_`, then 256 random bits. */
export const newSecretKey = (deps: Deps): string =>
  `sk_${deps.config.mode === 'sandbox' ? 'test' : 'live'}_${newSecret()}`

/** Returns the given settings as stored. Drops undefined ones, so that they do not overwrite stored ones. */
export function toStoredSettings({
  callback_events: chosen,
  ...settings
}: ApplicationSettingsInput): Partial<ApplicationSettings> {
  const callbacks_muted = chosen && selectableEvents.filter(event => !chosen.includes(event))
  return Object.fromEntries(Object.entries({ ...settings, callbacks_muted }).filter(([, value]) => value !== undefined))
}

/** Refuses logos that are not uploads of this merchant, because pages load no images from other origins. */
export async function checkLogos(
  c: Queryable,
  merchantId: string,
  settings: Pick<ApplicationSettingsInput, 'logo' | 'payment_logo'>,
): Promise<void> {
  for (const field of ['logo', 'payment_logo'] as const) {
    const url = settings[field]
    if (url && !(await isOwnUpload(c, merchantId, url))) throw new Refusal('bad_image', { field })
  }
}
