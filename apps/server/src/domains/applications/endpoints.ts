import {
  type KeyOverlapSeconds,
  type SelectableEvent,
  selectableEvents,
  webhookSecretOverlapSeconds,
} from '@coffer/contract/codes.ts'
import type { ParsedBody } from '@coffer/contract/index.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { newWebhookSecret } from '../../kit/secrets.ts'
import { isUniqueViolation } from '../../kit/taken.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import {
  changeEndpointRow,
  countEndpoints,
  insertEndpoint,
  readEndpoint,
  removeEndpointRow,
  replaceEndpointSecret,
  type StoredEndpoint,
} from './endpoint-store.ts'
import { requireKeyWithoutMoney } from './money-keys.ts'
import { endpointSecretSealPlace, lockApplication } from './store.ts'

/** Who changes which endpoints. A person gives a fresh proof; a key, whose change has no `person`, needs none. */
export interface EndpointChange {
  merchantId: string
  appid: string
  from: Visitor
  person?: { proof: Proof | undefined }
  /** Refuses, in the transaction, a key whose scope was taken away meanwhile. */
  recheck?: ScopeRecheck
}

/**
 * Writes a change in one transaction, with its event. It is mailed where callbacks go to a new URL (`isNew`).
 */
async function apply(
  deps: Deps,
  { merchantId, appid, from, person, recheck }: EndpointChange,
  type: 'webhook_endpoint_changed' | 'webhook_secret_renewed',
  write: (c: Queryable) => Promise<StoredEndpoint | undefined>,
  { isNew = false, isRemoval = false } = {},
): Promise<StoredEndpoint> {
  await throttleChanges(deps, merchantId)
  const consume =
    person && (await checkProof(deps, { by: readMember(merchantId, from), ...person, action: 'application' }))
  return tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    if (!(await lockApplication(c, merchantId, appid))) throw new Refusal('application_not_exist')
    // After the lock, which is the stronger one.
    await recheck?.(c)
    if (person && !isRemoval) await requireKeyWithoutMoney(c, { merchantId, appid, from })
    const row = await write(c)
    if (!row) throw new Refusal('webhook_endpoint_not_exist', { field: 'id' })
    await consume?.(c)
    recordEvent(deps, uow, { merchantId, type, from, params: { appid, url: row.url }, isExpected: !isNew })
    return row
  }).catch(error => {
    throw isUniqueViolation(error, 'webhook_endpoints_url')
      ? new Refusal('webhook_endpoint_exists', { field: 'url' })
      : error
  })
}

const mutedBy = (chosen: readonly SelectableEvent[]) => selectableEvents.filter(event => !chosen.includes(event))

/** Adds an endpoint. Returns it with its secret, which is never shown again. */
export async function addEndpoint(
  deps: Deps,
  input: EndpointChange & { url: string; description: string; events?: readonly SelectableEvent[] | undefined },
): Promise<{ row: StoredEndpoint; secret: string }> {
  const { merchantId, appid, url, description, events = selectableEvents } = input
  await checkNotifyUrl(deps, url, 'url')
  const id = newId()
  const secret = newWebhookSecret()
  const write = async (c: Queryable) => {
    if ((await countEndpoints(c, merchantId, appid)) >= limits.webhookEndpointsMax) throw new Refusal('limit_reached')
    const sealed = deps.seal.seal(secret, endpointSecretSealPlace(id))
    const muted = mutedBy(events)
    const added = await insertEndpoint(c, {
      merchantId,
      appid,
      id,
      url,
      description,
      muted,
      secret: sealed,
      now: deps.clock(),
    })
    if (!added) throw new Refusal('webhook_endpoint_exists', { field: 'url' })
    return readEndpoint(c, merchantId, appid, id)
  }
  return { row: await apply(deps, input, 'webhook_endpoint_changed', write, { isNew: true }), secret }
}

/** Changes what is given of an endpoint. Callbacks that wait go to its new URL; while it is off, none is sent. */
export async function changeEndpoint(
  deps: Deps,
  input: EndpointChange & { id: string; changes: ParsedBody<'POST /api/v1/pay/webhook-endpoints/:id'> },
): Promise<StoredEndpoint> {
  const { merchantId, appid, id, changes } = input
  const { url = null, description = null, events, enabled = null } = changes
  if (url !== null) await checkNotifyUrl(deps, url, 'url')
  const muted = events ? JSON.stringify(mutedBy(events)) : null
  const write = (c: Queryable) => changeEndpointRow(c, merchantId, appid, id, url, description, muted, enabled)
  return apply(deps, input, 'webhook_endpoint_changed', write, { isNew: url !== null })
}

/** Renews the secret of an endpoint; both sign for `keepSeconds`, by default 24 hours. */
export async function rotateEndpointSecret(
  deps: Deps,
  input: EndpointChange & { id: string; keepSeconds?: KeyOverlapSeconds | undefined },
): Promise<{ row: StoredEndpoint; secret: string }> {
  const { merchantId, appid, id, keepSeconds = webhookSecretOverlapSeconds } = input
  const secret = newWebhookSecret()
  const now = deps.clock()
  const sealed = deps.seal.seal(secret, endpointSecretSealPlace(id))
  const until = keepSeconds > 0 ? now + keepSeconds : 0
  const write = (c: Queryable) => replaceEndpointSecret(c, merchantId, appid, id, sealed, until, now)
  return { row: await apply(deps, input, 'webhook_secret_renewed', write), secret }
}

/** Removes an endpoint. Its callbacks stay on record; those that wait are sent no more. */
export async function removeEndpoint(deps: Deps, input: EndpointChange & { id: string }): Promise<void> {
  const { merchantId, appid, id } = input
  const remove = (c: Queryable) => removeEndpointRow(c, merchantId, appid, id, deps.clock())
  await apply(deps, input, 'webhook_endpoint_changed', remove, { isRemoval: true })
}
