import type { CallbackFailure } from '@coffer/contract'
import { advanceCallback, withholdCallback } from '@coffer/core/callbacks/schedule.ts'
import type { CallbackProtocol, CallbackProtocols, CallbackRequest } from '../../callback-form.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { events, liveHints } from '../../kit/outbox.ts'
import { countCall } from '../../kit/throttle.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { webhookHeaders } from '../../kit/webhook-headers.ts'
import type { HostResolver } from '../../outside/addresses.ts'
import { buildCallbackReach } from '../../outside/addresses.ts'
import { isPage } from '../../outside/is-page.ts'
import { type SafeResponse, sendSafeRequest } from '../../outside/safe-http.ts'
import { endpointSecretSealPlace, webhookSecretSealPlace } from '../applications/store.ts'
import { endCallbackLease, endSupersededCallbacks, insertAttempt, type LeasedCallback } from './callback-lease.ts'
import { countDeliveryAttempt } from './metrics.ts'
import { findWithheldCallback, paidEvents } from './paid-in-full.ts'

/** Characters of a response that are stored for display. */
const answerCharactersMax = 2_000
/**
 * Characters of a request in a shop's form that are stored for display. Other callbacks are sent as their body is
 * stored.
 */
const sentCharactersMax = 16_384

/**
 * For how long (seconds) a merchant is not notified again that callbacks of one order are withheld: longer than one is
 * looked at.
 */
const withheldSeconds = 30 * 86_400

/** Outcome for a callback without a URL: it is not sent, and is retried like a failed attempt. */
const nowhere: SafeResponse = { status: 0, failure: 'no_address', text: '', durationMs: 0 }

/**
 * Makes one attempt at a leased callback: signs and sends it, records the response and schedules the next attempt. One
 * that says that its order is paid, while it is not paid in full, is not sent and waits (`withhold`). Any 2xx confirms
 * it, unless its form needs a word or a web page answered. The merchant is notified of a page, once a day for each
 * application, and after the last failed attempt. Returns the duration in ms.
 */
export async function deliverCallback(
  deps: Deps,
  callback: LeasedCallback,
  options: { resolve?: HostResolver; random?: () => number; forms?: CallbackProtocols | undefined } = {},
): Promise<number> {
  const form = formOf(callback, options.forms)
  const request = callback.url ? await (form?.request(deps, callback) ?? standard(deps, callback)) : undefined
  if (request === null) {
    await withhold(deps, callback)
    return 0
  }
  const answer = request
    ? await sendSafeRequest({
        ...request,
        reach: buildCallbackReach(deps.config),
        allowHttp: deps.config.callbackHttp === 'allow',
        resolve: options.resolve,
      })
    : nowhere
  const counted: SafeResponse = { ...answer, failure: answer.failure ?? unconfirmed(answer, form) }
  const sent = form && request ? shown(request.body ?? request.url, sentCharactersMax) : ''
  await record(deps, callback, counted, sent, (options.random ?? Math.random)())
  return answer.durationMs
}

const isOk = ({ status }: SafeResponse) => status >= 200 && status < 300

/**
 * Why a 2xx does not confirm a callback. A page comes from a proxy or a login in front of the shop, which has not seen
 * the callback.
 */
function unconfirmed(answer: SafeResponse, form: CallbackProtocol | undefined): CallbackFailure | null {
  if (!isOk(answer)) return null
  if (isPage(answer.text)) return 'page_answered'
  return form?.confirms(answer.text) === false ? 'not_confirmed' : null
}

function formOf({ form }: LeasedCallback, forms: CallbackProtocols = {}): CallbackProtocol | undefined {
  const found = forms[form]
  if (form && !found) throw new Error(`no callback form ${form}`)
  return found
}

/** Signs a callback as it is stored; null for one that says that its order is paid once money went back. */
async function standard(deps: Deps, callback: LeasedCallback): Promise<CallbackRequest | null> {
  const { merchant_id, id, event, url, body } = callback
  if (paidEvents.includes(event) && (await findWithheldCallback(deps.pool, merchant_id, id))) return null
  return { url, headers: signedHeaders(deps, callback), body }
}

function signedHeaders(deps: Deps, callback: LeasedCallback): Record<string, string> {
  const { webhook_id: id, appid, endpoint, body, webhook_secret, previous_secret } = callback
  const place = endpoint ? endpointSecretSealPlace(endpoint) : webhookSecretSealPlace(appid)
  const secrets = [webhook_secret, previous_secret]
  return { ...webhookHeaders(deps, { id, body, secrets, place }), 'user-agent': 'Coffer-Callback/1' }
}

async function record(
  deps: Deps,
  callback: LeasedCallback,
  answer: SafeResponse,
  sent: string,
  random: number,
): Promise<void> {
  const now = deps.clock()
  const ok = answer.failure === null && isOk(answer)
  const result = answer.failure ?? `HTTP ${answer.status}`
  const state = { ...callback, test: callback.event === 'test.ping' }
  const after = advanceCallback(state, ok, now, random)
  await tx(deps.pool, async (c, uow) => {
    const mine = await endCallbackLease(c, callback, { ...after, result })
    await insertAttempt(c, callback, {
      id: newId(),
      httpStatus: answer.status,
      result,
      answer: shown(answer.text, answerCharactersMax),
      sent,
      durationMs: answer.durationMs,
      now,
    })
    if (callback.trade_no) await endSupersededCallbacks(c, callback.merchant_id, callback.trade_no)
    if (mine && after.gaveUp && callback.url) notifyMerchant(uow, callback, now)
    else if (mine && answer.failure === 'page_answered') await notifyOfPage(uow, callback, now)
    uow.add(liveHints, [{ merchant_id: callback.merchant_id, type: 'callback', id: callback.id }])
  })
  countDeliveryAttempt(ok, after.gaveUp)
}

/**
 * Leaves a callback unsent that says that its order is paid. The record has one line for each time that this begins,
 * and the merchant is notified, once an order, when it will not end by itself.
 */
async function withhold(deps: Deps, callback: LeasedCallback): Promise<void> {
  const now = deps.clock()
  const { merchant_id, id, state, created_at: createdAt } = callback
  const isOpen = (await findWithheldCallback(deps.pool, merchant_id, id))?.is_open === true
  const after = withholdCallback({ ...callback, test: false }, { now, createdAt, isOpen })
  const recorded = state !== 'withheld'
  const result = 'not_paid' satisfies CallbackFailure
  await tx(deps.pool, async (c, uow) => {
    const mine = await endCallbackLease(c, callback, { ...after, result, recorded })
    if (mine && after.state === 'withheld' && !isOpen) await notifyWithheld(uow, callback, now)
    if (!recorded) return
    await insertAttempt(c, callback, { id: newId(), httpStatus: 0, result, answer: '', durationMs: 0, now })
    uow.add(liveHints, [{ merchant_id, type: 'callback', id }])
  })
}

async function notifyWithheld(uow: UnitOfWork, callback: LeasedCallback, now: number) {
  const { merchant_id, id, event, trade_no, url } = callback
  const key = `callback withheld ${merchant_id} ${trade_no}`
  if ((await countCall({ pool: uow.c, clock: () => now }, key, withheldSeconds)) > 1) return
  uow.add(events, [
    {
      merchant_id,
      name: 'callback_withheld',
      params: { callback: id, event, trade_no, url },
      created_at: now,
    },
  ])
}

/** The start of a text, without characters that PostgreSQL rejects or that change how the page reads. */
const shown = (text: string, max: number) => text.slice(0, max).replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}|\p{Cs}/gu, '')

function notifyMerchant(uow: UnitOfWork, { merchant_id, id, event, trade_no, url }: LeasedCallback, now: number) {
  uow.add(events, [
    {
      merchant_id,
      id: `given-up-${id}`,
      name: trade_no === '' ? 'deposit_callback_given_up' : 'callback_given_up',
      params: { callback: id, event, trade_no, url },
      created_at: now,
    },
  ])
}

async function notifyOfPage(uow: UnitOfWork, callback: LeasedCallback, now: number) {
  const { merchant_id, appid, event, url } = callback
  if (event === 'test.ping') return
  const today = await countCall({ pool: uow.c, clock: () => now }, `page answered ${merchant_id} ${appid}`, 86_400)
  if (today > 1) return
  uow.add(events, [
    {
      merchant_id,
      name: 'callback_page_answered',
      params: { callback: callback.id, event, url },
      created_at: now,
    },
  ])
}
