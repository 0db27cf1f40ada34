import { webhookSecretOverlapSeconds } from '@coffer/contract/codes/applications.ts'
import type { AlertName } from '@coffer/contract/events.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { languageList } from '@coffer/contract/languages.ts'
import { type AlertKind, testAlertTexts } from '@coffer/contract/operator/names.ts'
import type { Deps } from '../../deps.ts'
import { all, first, run } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SealPlace } from '../../kit/seal.ts'
import { newWebhookSecret } from '../../kit/secrets.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import type { Delivery } from '../../outside/delivery.ts'
import { deliverSigned } from '../notifications/channels/hook.ts'
import { alertId, type OperatorAlert, renderInLanguages } from './alert-mails.ts'
import { kindOfAlert } from './alert-makers.ts'

/** A system that gets alerts; secrets are sealed. */
interface Hook {
  id: string
  url: string
  secret: string
  previous_secret: string
}
interface Given {
  url: string
  kinds: AlertKind[]
}

const hookSecretAt = (id: string): SealPlace => ({ column: 'alert_hooks.secret', row: id })
/** Alerts that the console lists of each hook. */
const shownMax = 5

const insert = run(
  'alert-hook-insert',
  `insert into alert_hooks (id, url, kinds, secret, created_at)
   select $1, $2, $3, $4, $5 where (select count(*) from alert_hooks) < ${limits.alertHooksMax}`,
)
const change = run('alert-hook-change', 'update alert_hooks set url = $2, kinds = $3 where id = $1 returning 1')
const renew = run(
  'alert-hook-renew',
  'update alert_hooks set previous_secret = secret, previous_until = $3, secret = $2 where id = $1 returning 1',
)
const remove = run('alert-hook-remove', 'delete from alert_hooks where id = $1 returning 1')
const hooks = all(
  'alert-hooks',
  'select id, url, kinds, previous_until, created_at from alert_hooks order by created_at, id',
)
const lastOf = all(
  'alert-hook-last',
  `select event, params, created_at, tries, done_at, error from messages
   where channel = 'hook' and address = $1 order by created_at desc, id desc limit ${shownMax}`,
)
const one = first(
  'alert-hook',
  `select id, url, kinds, secret, case when previous_until > $2 then previous_secret else '' end as previous_secret
   from alert_hooks where id = $1`,
)

const must = (changed: number) => {
  if (changed === 0) throw new Refusal('operation_failed', { field: 'hook' })
}

/** Lists the systems that get alerts, each with its last ones. */
export const listAlertHooks = async ({ pool, clock }: Deps) => ({
  list: await Promise.all(
    (await hooks(pool)).map(async ({ previous_until, created_at, ...hook }) => ({
      ...hook,
      previous_until: previous_until > clock() ? previous_until : 0,
      created_time: created_at,
      last: (await lastOf(pool, hook.id)).map(({ event, params, created_at: created_time, tries, done_at, error }) => ({
        kind: kindOfAlert(event as AlertName),
        object: params.object ?? '',
        created_time,
        tries,
        done_time: done_at ?? 0,
        result: error,
      })),
    })),
  ),
})

/** Adds a system that gets alerts from now on. Returns the secret that signs them, which nobody can read later. */
export async function addAlertHook(deps: Deps, { url, kinds }: Given): Promise<{ id: string; secret: string }> {
  await checkNotifyUrl(deps, url, 'url')
  const id = newId()
  const secret = newWebhookSecret()
  const sealed = deps.seal.seal(secret, hookSecretAt(id))
  const detail = { en: `at most ${limits.alertHooksMax}`, 'zh-CN': `最多 ${limits.alertHooksMax} 个` }
  if ((await insert(deps.pool, id, url, kinds, sealed, deps.clock())) === 0)
    throw new Refusal('operation_failed', { detail })
  return { id, secret }
}

export async function changeAlertHook(deps: Deps, { id, url, kinds }: Given & { id: string }): Promise<void> {
  await checkNotifyUrl(deps, url, 'url')
  must(await change(deps.pool, id, url, kinds))
}

/** Replaces the secret; the one before signs, too, for 24 hours. */
export async function rotateAlertHookSecret(deps: Deps, { id }: { id: string }): Promise<{ secret: string }> {
  const secret = newWebhookSecret()
  must(await renew(deps.pool, id, deps.seal.seal(secret, hookSecretAt(id)), deps.clock() + webhookSecretOverlapSeconds))
  return { secret }
}

export const removeAlertHook = async ({ pool }: Deps, { id }: { id: string }): Promise<void> =>
  must(await remove(pool, id))

/** What the action log shows of a hook: its URL may hold a token. */
export async function readAlertHookState({ pool, clock }: Deps, id: string) {
  const found = await one(pool, id, clock())
  return found && { host: new URL(found.url).host, kinds: found.kinds }
}

/** Sends an alert that says it is a test, once, and returns how that ended. */
export async function testAlertHook(deps: Deps, { id }: { id: string }): Promise<{ ok: boolean; result: string }> {
  const hook = await readAlertHook(deps, id)
  if (!hook) throw new Refusal('operation_failed', { field: 'hook' })
  const texts = renderInLanguages(language => ({
    subject: testAlertTexts[language],
    lines: [testAlertTexts[language]],
  }))
  const alert = { urgent: false, link: deps.config.operatorUrl, texts }
  const sent = { subject: newId(), kind: 'test', object: '', created_at: deps.clock(), alert } as const
  const outcome = await postAlert(deps, hook, sent)
  const isOk = outcome.result === 'accepted'
  return { ok: isOk, result: (isOk ? outcome.answer : outcome.error) ?? '' }
}

/** Reads a system, with the secrets that sign now. */
export const readAlertHook = ({ pool, clock }: Deps, id: string): Promise<Hook | undefined> => one(pool, id, clock())

interface Sent {
  subject: string
  kind: AlertKind | 'test'
  object: string
  created_at: number
  alert: OperatorAlert
}

/** Makes one attempt. */
export function postAlert(deps: Deps, hook: Hook, sent: Sent): Promise<Delivery> {
  const id = alertId(sent.subject)
  const secrets = [hook.secret, hook.previous_secret]
  const place = hookSecretAt(hook.id)
  return deliverSigned(deps, {
    url: hook.url,
    agent: 'Coffer-Alert/1',
    id,
    body: alertBody(id, sent),
    secrets,
    place,
  })
}

/** The body in the form of callbacks; `data.id` is the same at every attempt. */
function alertBody(
  id: string,
  { kind, object, created_at, alert: { urgent, ended = false, link, texts } }: Sent,
): string {
  const inEach = (read: (of: { subject: string; lines: string[] }) => string) =>
    Object.fromEntries(languageList.map(language => [language, read(texts[language])]))
  const title = inEach(({ subject }) => subject)
  const text = inEach(({ lines }) => lines.join('\n'))
  const data = { id, kind, object, urgent, ended, link, title, text }
  return JSON.stringify({ type: 'alert', timestamp: new Date(created_at * 1_000).toISOString(), data })
}
