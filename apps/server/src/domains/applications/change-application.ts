import type { ParsedBody } from '@coffer/contract'
import {
  type AccountEvent,
  applicationStatus,
  type KeyOverlapSeconds,
  payerVisibleSettings,
  proofRequiredSettings,
  webhookSecretOverlapSeconds,
} from '@coffer/contract/codes.ts'
import type { EventName } from '@coffer/contract/events.ts'
import { listKeyScopes } from '@coffer/contract/kit/key-scopes.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newWebhookSecret } from '../../kit/secrets.ts'
import { isUniqueViolation } from '../../kit/taken.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import type { ConsumeCredential } from '../identity/codes/check-code.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { assertAccountNotHeld } from '../merchants/hold.ts'
import type { Merchant } from '../merchants/store.ts'
import {
  type ApplicationSettings,
  type ApplicationSettingsInput,
  checkListedRights,
  checkLogos,
  checkOrigins,
  listedRights,
  newSecretKey,
  toStoredSettings,
} from './create-application.ts'
import { requireKeyScope } from './key-scopes.ts'
import { assertMayEditKey, requireKeyWithoutMoney, requireSecretOfOwner } from './money-keys.ts'
import {
  type Application,
  type ApplicationColumnChanges,
  applicationById,
  changeApplication,
  clearedPreviousSecret,
  lockApplication,
  type SecretTarget,
  storeReplacedSecret,
  webhookSecretSealPlace,
} from './store.ts'

export interface ApplicationChangeInput {
  merchantId: string
  appid: string
  proof?: Proof | undefined
  from: Visitor
}

/**
 * Changes an application, after `before`, consumes the proof and records the event in one transaction. `alsoTold` are
 * events that are told besides.
 */
export const changeApplicationWithProof = (
  deps: Deps,
  { merchantId, appid, from }: ApplicationChangeInput,
  type: AccountEvent,
  changes: ApplicationColumnChanges,
  consume?: ConsumeCredential,
  before?: (c: Queryable, merchant: Merchant) => unknown,
  { details, alsoTold = [] }: { details?: Record<string, string>; alsoTold?: EventName[] } = {},
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const merchant = await lockActiveMerchant(c, merchantId, { approved: true })
    await checkLogos(c, merchantId, changes)
    await before?.(c, merchant)
    if (!(await changeApplication(c, merchantId, appid, changes))) throw new Refusal('application_not_exist')
    await consume?.(c)
    const confirmed = consume ? from : { ...from, factor: '' }
    recordEvent(deps, uow, { merchantId, type, from: confirmed, params: { appid }, details })
    const params = { appid, ...details }
    uow.add(
      events,
      alsoTold.map(name => ({ merchant_id: merchantId, name, params, created_at: deps.clock() })),
    )
  })

const paysOut = ['payouts_allowed', 'refunds_allowed'] as const
/** What is told of by its own name, by how much it matters. */
const namedChanges = ['payouts_allowed', 'members_allowed', 'appearance_changed'] as const
/** Rights of a key beside those from listed addresses. */
const otherRights = [
  'read_allowed',
  'orders_allowed',
  'marks_allowed',
  'settings_allowed',
  'endpoints_allowed',
] as const

/**
 * Changes the given settings, and enables (1) or disables (2). Changes that concern money, the key or what payers see
 * require a proof; disabling must be possible at once and does not. The callback URL is changed by `setNotifyUrl`.
 */
export async function editApplication(
  deps: Deps,
  input: ApplicationChangeInput & {
    settings: Omit<ApplicationSettingsInput, 'notify_url'>
    status?: number | undefined
  },
): Promise<void> {
  const { merchantId, appid, status, proof } = input
  const settings: Partial<ApplicationSettings> = toStoredSettings(input.settings)
  if (settings.name !== undefined) settings.name = settings.name.trim()
  checkOrigins(deps, settings)
  await throttleChanges(deps, merchantId)
  const before = await applicationById(deps.pool, merchantId, appid)
  if (!before) throw new Refusal('application_not_exist')
  checkListedRights({ ...before, ...settings })
  const isNew = (name: keyof ApplicationSettings, of = before) =>
    settings[name] !== undefined && JSON.stringify(settings[name]) !== JSON.stringify(of[name])
  const isGuarded = (of: Application) =>
    (status === applicationStatus.enabled && of.status !== status) ||
    proofRequiredSettings.some(name => isNew(name === 'callback_events' ? 'callbacks_muted' : name, of))
  const consume = isGuarded(before)
    ? await checkProof(deps, { by: readMember(merchantId, input.from), proof, action: 'application' })
    : undefined
  const changes: ApplicationColumnChanges = status === undefined ? settings : { ...settings, status }
  // Somebody else may have changed it meanwhile.
  const recheck = async (c: Queryable, merchant: Merchant) => {
    const locked = await lockApplication(c, merchantId, appid)
    if (locked) {
      assertMayEditKey(input.from, locked, changes)
      await requireSecretOfOwner(c, locked, changes, deps.clock())
    }
    const opens = ([...listedRights, 'ip_whitelist', 'ip_whitelist_enabled'] as const).some(name => isNew(name, locked))
    if (opens) changes.opened_at = deps.clock()
    if (opens && listedRights.some(name => settings[name] ?? before[name])) assertAccountNotHeld(deps, merchant)
    for (const right of otherRights) if (settings[right] && isNew(right, locked)) assertAccountNotHeld(deps, merchant)
    if (!consume && locked && isGuarded(locked)) throw new Refusal('proof_needed')
  }
  const gives = (name: keyof ApplicationSettings) => settings[name] && isNew(name)
  const isNamed = {
    payouts_allowed: paysOut.some(gives),
    members_allowed: gives('members_allowed'),
    appearance_changed: payerVisibleSettings.some(name => isNew(name)),
  }
  const [type = 'application_changed', ...others] = namedChanges.filter(name => isNamed[name])
  const told = { details: { name: before.name }, alsoTold: others.map(name => `account_${name}` as const) }
  await changeApplicationWithProof(deps, input, type, changes, consume, recheck, told).catch(error => {
    if (isUniqueViolation(error, 'applications_name')) throw new Refusal('name_duplicate', { field: 'name' })
    // Another change took the whitelist away meanwhile.
    const { constraint } = error as { constraint?: string }
    throw constraint === 'applications_payouts_from' ? new Refusal('ip_whitelist_needed') : error
  })
}

/** Sets the callback URL; an empty one stops callbacks. Requires a proof, because callbacks reveal every payment. */
export async function setNotifyUrl(deps: Deps, input: ApplicationChangeInput & { notify_url: string }): Promise<void> {
  const { merchantId, notify_url, proof } = input
  await checkNotifyUrl(deps, notify_url)
  const consume = await checkProof(deps, { by: readMember(merchantId, input.from), proof, action: 'notify-url' })
  const guard = (c: Queryable) => requireKeyWithoutMoney(c, input)
  await changeApplicationWithProof(deps, input, 'notify_url_changed', { notify_url }, consume, guard)
}

/**
 * Changes the notify URL, its events or the note by the key of the application, which needs the right. What is given as
 * it is changes nothing; the owner gets a mail where callbacks go to a new URL.
 */
export async function changeApplicationByKey(
  deps: Deps,
  input: ApplicationChangeInput & { settings: ParsedBody<'POST /api/v1/pay/application'> },
): Promise<void> {
  const { merchantId, appid } = input
  await checkNotifyUrl(deps, input.settings.notify_url ?? '')
  await throttleChanges(deps, merchantId)
  const mayChange = (found: Application | undefined) => {
    const scopes = found ? listKeyScopes(found) : []
    requireKeyScope({ scopes, managesEndpoints: false }, { scope: 'settings' })
    return found!
  }
  const before: object = mayChange(await applicationById(deps.pool, merchantId, appid))
  const changes: ApplicationColumnChanges = Object.fromEntries(
    Object.entries(toStoredSettings(input.settings)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
    ),
  )
  if (Object.keys(changes).length === 0) return
  const type = changes.notify_url === undefined ? 'application_changed' : 'notify_url_changed'
  // The right may have been taken away since.
  const recheck = async (c: Queryable) => mayChange(await lockApplication(c, merchantId, appid))
  await changeApplicationWithProof(deps, input, type, changes, undefined, recheck)
}

/**
 * Rotates the secret key or the webhook secret and returns the new one. The old key stays valid for `keepSeconds`;
 * callbacks are signed with the old webhook secret too, by default for 24 hours. A secret replaced earlier ends at
 * once.
 */
export async function rotateApplicationSecret(
  deps: Deps,
  input: ApplicationChangeInput & { target: SecretTarget; keepSeconds?: KeyOverlapSeconds | undefined },
): Promise<{ appid: string; secret_key?: string; webhook_secret?: string }> {
  const { merchantId, appid, target, proof, from } = input
  const keepSeconds = input.keepSeconds ?? (target === 'secret_key' ? 0 : webhookSecretOverlapSeconds)
  await throttleChanges(deps, merchantId)
  const consume = await checkProof(deps, { by: readMember(merchantId, input.from), proof, action: 'application' })
  const secret = target === 'secret_key' ? newSecretKey(deps) : newWebhookSecret()
  const next =
    target === 'secret_key'
      ? {
          key_hash: hashSecret(secret),
          key_masked: mask(secret),
          secret_by: readMember(merchantId, from).personId,
          opened_at: deps.clock(),
        }
      : { webhook_secret: deps.seal.seal(secret, webhookSecretSealPlace(appid)) }
  const changes = keepSeconds > 0 ? next : { ...next, ...clearedPreviousSecret[target] }
  const keep = async (c: Queryable, merchant: Merchant) => {
    assertAccountNotHeld(deps, merchant)
    await requireKeyWithoutMoney(c, input)
    if (keepSeconds > 0) await storeReplacedSecret(c, merchantId, appid, target, deps.clock() + keepSeconds)
  }
  const type = target === 'secret_key' ? 'secret_key_renewed' : 'webhook_secret_renewed'
  await changeApplicationWithProof(deps, input, type, changes, consume, keep)
  return { appid, [target]: secret }
}

/** Ends a replaced secret before its time. Ending it again changes nothing. */
export async function endPreviousSecret(
  deps: Deps,
  input: ApplicationChangeInput & { target: SecretTarget },
): Promise<void> {
  const { merchantId, target, proof } = input
  const consume = await checkProof(deps, { by: readMember(merchantId, input.from), proof, action: 'application' })
  await changeApplicationWithProof(deps, input, 'previous_secret_ended', clearedPreviousSecret[target], consume)
}

/** Deletes an application. Its key stops working immediately; payments and records stay. */
export async function deleteApplication(deps: Deps, input: ApplicationChangeInput): Promise<void> {
  const { merchantId, proof } = input
  const consume = await checkProof(deps, { by: readMember(merchantId, input.from), proof, action: 'application' })
  await changeApplicationWithProof(deps, input, 'application_deleted', { deleted_at: deps.clock() }, consume)
}
