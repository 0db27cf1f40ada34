import type { RouteKey } from '@coffer/contract'
import {
  type AccountAttempt,
  type AccountEvent,
  type ConfirmationFactor,
  codeNameOf,
  emailCodePurpose,
  phoneCodePurpose,
} from '@coffer/contract/codes.ts'
import type { ErrorName } from '@coffer/contract/errors.ts'
import { maskEmail } from '@coffer/contract/kit/texts.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import type { RouteHandlers, Session } from '../../../http/context.ts'
import { type AuditEntry, appendAudit, auditOriginOf, noMerchantId } from '../../../kit/audit.ts'
import type { MemberOfShop } from '../../../kit/member.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { throttle } from '../../../kit/throttle.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { accountToOpenByEmail } from '../../merchants/store.ts'
import { isSessionlessPurpose } from '../codes/send-code.ts'
import { authenticateSession } from '../sessions/sessions.ts'

/** Bodies of the audited calls. */
interface Body {
  email?: string
  code?: string
  password?: string
  old_password?: string
  google_code?: string
  google_auth_code?: string
  passkey?: unknown
  signature?: string
  recovery_code?: string
  appid?: string
  target?: 'secret_key' | 'webhook_secret'
  type?: number
  proof?: { method: ConfirmationFactor }
  action?: string
}

type Context = Visitor & { deps: Deps; session?: Session; body?: Body; request: FastifyRequest }

/** Calls whose failures are recorded, with the event that they attempt. */
const attempts: Partial<Record<RouteKey, AccountAttempt | ((body: Body) => AccountAttempt)>> = {
  'POST /api/v1/public/email/send-verification-code': 'code_sent',
  'POST /api/v1/public/sms/send-verification-code': 'code_sent',
  'POST /api/v1/public/login': 'login',
  'POST /api/v1/public/login/verification': 'login',
  'POST /api/v1/public/register': 'registered',
  'PUT /api/v1/public/password': 'password_reset',
  'PUT /api/v1/user/password': 'password_changed',
  'POST /api/v1/user/google-auth': 'authenticator_bound',
  'PUT /api/v1/user/mailbox': 'mailbox_changed',
  'PUT /api/v1/user/phone': 'phone_bound',
  'POST /api/v1/user/recovery-codes': 'recovery_codes_renewed',
  'POST /api/v1/user/passkey': 'passkey_added',
  'POST /api/v1/message/push': 'push_added',
  'POST /api/v1/message/channel': 'channel_added',
  'POST /api/v1/message/channel/telegram': 'channel_added',
  'DELETE /api/v1/user/passkey': 'passkey_removed',
  'PUT /api/v1/user/security-switch': 'security_tightened',
  'POST /api/v1/user/wallet': 'wallet_linked',
  'DELETE /api/v1/user/wallet': 'wallet_unlinked',
  'POST /api/v1/user/verification': 'action_confirmed',
  'DELETE /api/v1/user': 'closed',
  'PUT /api/v1/user/edit': 'appearance_changed',
  'POST /api/v1/user/secret-key': 'application_created',
  'PUT /api/v1/user/secret-key': 'application_changed',
  'DELETE /api/v1/user/secret-key': 'application_deleted',
  'PUT /api/v1/user/secret-key/notify-url': 'notify_url_changed',
  'PUT /api/v1/user/secret-key/rates': 'rates_changed',
  'PUT /api/v1/user/secret-key/refresh-google-secret': ({ target }) =>
    target === 'secret_key' ? 'secret_key_renewed' : 'webhook_secret_renewed',
  'POST /api/v1/transactions/mark': 'payment_marked',
  'POST /api/v1/transactions/refund': 'refund_requested',
  'POST /api/v1/transactions/refund-link': 'refund_link_made',
  'DELETE /api/v1/user/secret-key/previous': 'previous_secret_ended',
  'POST /api/v1/user/shop': 'shop_connected',
  'PUT /api/v1/user/shop/key': 'shop_key_renewed',
  'DELETE /api/v1/user/shop': 'shop_disconnected',
  'POST /api/v1/user/webhook-endpoint': 'webhook_endpoint_changed',
  'PUT /api/v1/user/webhook-endpoint': 'webhook_endpoint_changed',
  'PUT /api/v1/user/webhook-endpoint/secret': 'webhook_secret_renewed',
  'DELETE /api/v1/user/webhook-endpoint': 'webhook_endpoint_changed',
  'POST /api/v1/account/internal-transfer': 'transfer_sent',
  'POST /api/v1/account/withdrawal': 'withdrawal_requested',
  'PUT /api/v1/account/withdrawal-policy': 'policy_tightened',
  'POST /api/v1/member/invitation': 'member_invited',
  'PUT /api/v1/member/invitation': 'member_invited',
  'PUT /api/v1/member': 'member_role_changed',
  'DELETE /api/v1/member': 'member_removed',
  'POST /api/v1/member/leave': 'member_left',
  'PUT /api/v1/member/second-factor': 'second_factor_rule_changed',
  'PUT /api/v1/account/withdraw-setting': 'withdrawal_settings_changed',
}

/** Events whose commands write no entry, because they have no transaction. */
const withoutTransaction: readonly AccountEvent[] = ['code_sent', 'action_confirmed']

/** Refusals that mean that somebody could not prove who they are. Others, such as invalid input, are not recorded. */
const unproven: readonly ErrorName[] = [
  'account_frozen',
  'different_password',
  'email_code_error',
  'google_code_error',
  'login_expired',
  'mailbox_exists',
  'passkey_cloned',
  'passkey_elsewhere',
  'passkey_error',
  'password_error',
  'proof_needed',
  'recovery_code_error',
  'sign_in_failed',
  'security_stronger',
  'sms_code_error',
  'wallet_error',
  'wrong_credentials',
]

/** Entries of one account, and of all unknown ones: strangers must not fill the disk. The request log has all. */
const entriesLimit = { max: 1_000, seconds: 3_600 }

/** Wraps handlers: names the factor that a request sends, and records failures and events without a transaction. */
export function auditCalls(handlers: RouteHandlers): RouteHandlers {
  const wrapped = Object.entries(attempts).map(([key, attempt]) => {
    const handler = handlers[key as RouteKey] as (context: Context) => Promise<unknown>
    return [
      key,
      async (context: Context) => {
        const { body = {} } = context
        const type = typeof attempt === 'function' ? attempt(body) : attempt
        const given = { ...context, factor: factorsOf(key, body) }
        const answer = await handler(given).catch(async error => {
          if (error instanceof Refusal && unproven.includes(error.reason)) await record(key, given, type, error.reason)
          throw error
        })
        if (withoutTransaction.includes(type)) await record(key, given, type, '')
        return answer
      },
    ]
  })
  return { ...handlers, ...Object.fromEntries(wrapped) }
}

/** Returns what a request sends to confirm an identity, joined by '+'. */
function factorsOf(key: string, body: Body): string {
  const signIn = key === 'POST /api/v1/public/login'
  const factors: (ConfirmationFactor | false | undefined)[] = [
    signIn && body.password !== undefined && 'password',
    body.old_password !== undefined && 'password',
    signIn && body.passkey !== undefined && 'passkey',
    body.signature !== undefined && 'wallet',
    body.google_auth_code !== undefined && 'third_party',
    body.code !== undefined && (key.endsWith('/phone') ? 'phone' : 'email'),
    body.google_code !== undefined && 'google',
    body.recovery_code !== undefined && 'recovery',
    body.proof?.method,
  ]
  return factors.filter(Boolean).join('+')
}

async function record(key: string, context: Context, type: AccountEvent, refusal: ErrorName | ''): Promise<void> {
  const { deps, body = {}, request } = context
  const account = await accountOf(context, type)
  const sent = type === 'code_sent' && (key.includes('/sms/') ? 'phone' : 'email')
  // An email without an account is answered as if a code had been sent.
  const unsent = sent === 'email' && account === undefined && body.type !== emailCodePurpose.register
  const reason = refusal || (unsent ? 'account_not_exist' : '')
  const purpose = sent && codeNameOf<string>(sent === 'email' ? emailCodePurpose : phoneCodePurpose, body.type ?? 0)
  const merchant_id = account?.merchantId ?? noMerchantId
  request.account = merchant_id
  const entry: AuditEntry = {
    merchant_id,
    type,
    outcome: reason === '' ? 'done' : 'refused',
    reason,
    subject: [sent, purpose, body.appid, body.action, account === undefined && maskEmail(body.email ?? '')]
      .filter(Boolean)
      .join(' '),
    created_at: deps.clock(),
    ...auditOriginOf(deps, context),
    person_id: account === undefined || account.personId === merchant_id ? '' : account.personId,
  }
  try {
    await throttle(deps, `audit ${merchant_id}`, entriesLimit)
    // A member's own log is the chain of the person; owners read the shop's.
    const own = entry.person_id && { ...entry, merchant_id: entry.person_id, person_id: '' }
    await appendAudit(deps.pool, own ? [entry, own] : [entry])
  } catch (error) {
    // The request log still has it; the answer must not change.
    deps.log.error({ err: error, entry }, 'audit entry not written')
  }
}

/** Returns the member whom a request concerns; undefined when there is none. */
async function accountOf(
  { deps, session, body = {}, request }: Context,
  type: AccountEvent,
): Promise<MemberOfShop | undefined> {
  if (session) return session
  const token = request.headers['x-token']
  // A code for a signed-in merchant may be sent to an email that is not theirs yet.
  if (type === 'code_sent' && !isSessionlessPurpose(body.type ?? 0))
    return typeof token === 'string'
      ? authenticateSession(deps, { token, pending: false }).catch(() => undefined)
      : undefined
  const found = body.email === undefined ? undefined : await accountToOpenByEmail(deps.pool, body.email)
  return found && { merchantId: found.id, personId: found.person_id }
}
