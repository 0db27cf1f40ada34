import { errors, type RouteData } from '@coffer/contract'
import { mayConfirm, mayRequestCode } from '@coffer/contract/identity/proof-roles.ts'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import { createRoleRefusal } from '../../http/auth.ts'
import { defineHandlers, type Session, toEmptyAnswer } from '../../http/context.ts'
import { setDeviceCookie } from '../../http/device-cookie.ts'
import { exportHandler } from '../../http/export.ts'
import { openEventStream } from '../../http/sse.ts'
import { makeEventStreamLimiter } from '../../http/stream-places.ts'
import { readSessionName } from '../../kit/audit.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { logLoss } from '../../kit/log-loss.ts'
import { Refusal } from '../../kit/refusal.ts'
import { newSecret } from '../../kit/secrets.ts'
import { isHintVisible, mayHear, recentHints, visibleTo } from '../../kit/visible-to.ts'
import { toIpRateLimitKey, type Visitor } from '../../kit/visitor.ts'
import { delayedChains } from '../chains/chain-delay.ts'
import { findAccountHold } from '../merchants/hold.ts'
import { accountById } from '../merchants/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'
import { formatLocation } from '../notifications/origin-text.ts'
import { describeMember } from '../people/member-info.ts'
import { reportUnauthorizedUse, reportUnauthorizedUseByLink } from './alarms/not-me.ts'
import {
  addMessageChannel,
  addTelegramChannel,
  listMessageChannels,
  removeMessageChannel,
  testMessageChannel,
} from './channels/channels.ts'
import { isSessionlessPurpose, sendEmailCode, sendPhoneCode } from './codes/send-code.ts'
import { bindAuthenticator, offerAuthenticator } from './factors/authenticator.ts'
import { bindPhone } from './factors/bind-phone.ts'
import { changeEmail } from './factors/change-email.ts'
import {
  addPasskey,
  askPasskeySignIn,
  changePasskeyName,
  listPasskeys,
  loginByPasskey,
  offerPasskeyRegistration,
  removePasskey,
  requestPasskeyAssertion,
} from './factors/passkeys.ts'
import { changePassword, resetPassword } from './factors/password.ts'
import { renewRecoveryCodes } from './factors/recovery-codes.ts'
import { setConfirmationMethod } from './factors/set-confirmation-method.ts'
import accountLog from './log/account-log.ts'
import { countLog, readLogPage } from './log/readable-log.ts'
import { merchantPasskeys } from './passkeys/store.ts'
import { exchangeProofForTicket, proofMethods } from './proofs/check-proof.ts'
import { countRecoveryCodes } from './proofs/recovery-code-check.ts'
import { addPushDevice, listPushDevices, readPushSubscription, removePushDevice } from './push/push-devices.ts'
import {
  authenticateSession,
  endOneSession,
  endOtherSessions,
  isSessionLive,
  listSessions,
  logout,
} from './sessions/sessions.ts'
import { login, loginByCode, verifyLogin } from './sign-in/login.ts'
import { loginThirdParty } from './sign-in/login-third-party.ts'
import { register } from './sign-in/register.ts'
import {
  linkWallet,
  loginByWallet,
  readLinkedWallet,
  registerByWallet,
  requestWalletMessage,
  unlinkWallet,
} from './wallets/wallets.ts'

/** How often an open stream checks its session, in milliseconds. */
const recheckMs = 15_000
/** Open streams of all merchants, of one merchant and of one address. Payers have places of their own. */
const enter = makeEventStreamLimiter(2_000, { merchant: 50, address: 100 })

/** Sign-in and registration, then the signed-in merchant: profile, factors, sessions, events. */
export const identityHandlers = defineHandlers({
  'GET /api/v1/public/config': async ({ deps: { config, signIn } }) => ({
    sandbox: config.mode === 'sandbox',
    docs_url: '/docs',
    sign_in: signIn && {
      client_id: signIn.clientId,
      script_url: signIn.scriptUrl,
      label: signIn.label,
      ...signIn.begin(),
    },
  }),

  'POST /api/v1/public/email/send-verification-code': async context => {
    const { deps, body } = context
    const session = isSessionlessPurpose(body.type) ? null : await signedIn(deps, context.request.headers['x-token'])
    if (session && !mayRequestCode(session.role, 'email', body.type)) throw createRoleRefusal(session.role)
    return sendEmailCode(deps, { purpose: body.type, email: body.email, session, from: context })
  },

  'POST /api/v1/public/sms/send-verification-code': async context => {
    const { deps, body } = context
    const { type: purpose, phone, area_code } = body
    const session = await signedIn(deps, context.request.headers['x-token'])
    if (session && !mayRequestCode(session.role, 'phone', purpose)) throw createRoleRefusal(session.role)
    return sendPhoneCode(deps, { purpose, phone, area_code, session, from: context })
  },

  'POST /api/v1/public/login': async context => {
    const { deps, body } = context
    return onDevice(context, from => {
      if ('signature' in body) return loginByWallet(deps, { ...body, from })
      if ('passkey' in body) return loginByPasskey(deps, { ...body, from })
      if ('google_auth_code' in body) return loginThirdParty(deps, { ...body, code: body.google_auth_code, from })
      return 'code' in body ? loginByCode(deps, { ...body, from }) : login(deps, { ...body, from })
    })
  },

  'GET /api/v1/public/login/passkey': async ({ deps }) => ({ ...(await askPasskeySignIn(deps)) }),

  'GET /api/v1/public/login/wallet': async ({ deps, query }) => requestWalletMessage(deps, null, query),

  'POST /api/v1/public/register': async context =>
    onDevice(context, from => {
      const { deps, body } = context
      return 'signature' in body ? registerByWallet(deps, { ...body, from }) : register(deps, { ...body, from })
    }),

  'POST /api/v1/public/login/verification': async context =>
    onDevice(context, from => {
      const { deps, session, body } = context
      const given = 'google_code' in body ? { code: body.google_code } : body
      return verifyLogin(deps, { ...given, session, from })
    }),

  'PUT /api/v1/public/password': context =>
    toEmptyAnswer(resetPassword(context.deps, { ...context.body, from: context })),

  'POST /api/v1/user/login-out': context => toEmptyAnswer(logout(context.deps, context.session, context)),

  'GET /api/v1/user/info': async ({ deps, session }) => userInfo(deps, session),

  'PUT /api/v1/user/password': context => {
    const { deps, body, session } = context
    return changePassword(deps, { ...body, session, from: context })
  },

  'GET /api/v1/user/google-auth': async ({ deps, session }) => offerAuthenticator(deps, session),

  'POST /api/v1/user/google-auth': context => {
    const { deps, body, session } = context
    return bindAuthenticator(deps, { ...body, session, code: body.google_code, from: context })
  },

  'PUT /api/v1/user/mailbox': context => {
    const { deps, body, session } = context
    return changeEmail(deps, { ...body, session, from: context })
  },

  'PUT /api/v1/user/phone': context => {
    const { deps, body, session } = context
    return bindPhone(deps, { ...body, session, from: context })
  },

  'POST /api/v1/user/recovery-codes': context => {
    const { deps, body, session } = context
    return renewRecoveryCodes(deps, { ...body, session, from: context })
  },

  'PUT /api/v1/user/security-switch': context =>
    toEmptyAnswer(setConfirmationMethod(context.deps, { ...context.body, session: context.session, from: context })),

  'GET /api/v1/user/wallet/new': async ({ deps, session, query }) => requestWalletMessage(deps, session, query),

  'POST /api/v1/user/wallet': context => {
    const { deps, body, session } = context
    return linkWallet(deps, { ...body, session, from: context })
  },

  'DELETE /api/v1/user/wallet': context => {
    const { deps, body, session } = context
    return unlinkWallet(deps, { ...body, session, from: context })
  },

  'GET /api/v1/user/passkey': ({ deps, session }) => listPasskeys(deps, session),

  'GET /api/v1/user/passkey/new': async ({ deps, session }) => ({ ...(await offerPasskeyRegistration(deps, session)) }),

  'POST /api/v1/user/passkey': context => {
    const { deps, body, session } = context
    return addPasskey(deps, { ...body, session, from: context })
  },

  'PUT /api/v1/user/passkey': ({ deps, session, body }) =>
    toEmptyAnswer(changePasskeyName(deps, session, body.id, body.name)),

  'DELETE /api/v1/user/passkey': context => {
    const { deps, body, session } = context
    return removePasskey(deps, { ...body, session, from: context })
  },

  'POST /api/v1/user/passkey/ask': async ({ deps, session, body }) => {
    if (!mayConfirm(session.role, body.action)) throw createRoleRefusal(session.role)
    return { ...(await requestPasskeyAssertion(deps, session, body)) }
  },

  'POST /api/v1/user/verification': async ({ deps, session, body }) => {
    if (!mayConfirm(session.role, body.action)) throw createRoleRefusal(session.role)
    return exchangeProofForTicket(deps, { ...body, by: session })
  },

  'GET /api/v1/user/log': async ({ deps, session: { id, ...member }, query, language }) =>
    listAnswer(
      readLogPage(deps.pool, member, pageOf(query)),
      countLog(deps.pool, member),
      ({ seq, reason, created_at, address, session, person, ...row }) => ({
        ...row,
        ...(person !== '' && { person }),
        session: entrySession(session, id),
        id: String(seq),
        reason: reason && errors[reason][language],
        address: formatLocation(address, language),
        created_time: created_at,
      }),
    ),

  'POST /api/v1/user/log/not-me': context =>
    toEmptyAnswer(reportUnauthorizedUse(context.deps, { personId: context.session.personId, from: context })),

  'POST /api/v1/public/not-me': context =>
    toEmptyAnswer(reportUnauthorizedUseByLink(context.deps, { ...context.body, from: context })),

  'GET /api/v1/user/log/export': exportHandler(accountLog),

  'GET /api/v1/user/sessions': async ({ deps, session }) => ({
    list: await listSessions(deps, session),
    push: await listPushDevices(deps, session),
  }),

  'GET /api/v1/message/push': ({ deps, session, query }) => readPushSubscription(deps, session, query.device),

  'POST /api/v1/message/push': context => {
    const { deps, session, body } = context
    const { proof, ...device } = body
    return toEmptyAnswer(addPushDevice(deps, { session, device, proof, from: context }))
  },

  'DELETE /api/v1/message/push': context =>
    toEmptyAnswer(removePushDevice(context.deps, context.session, context.query.device, context)),

  'GET /api/v1/message/channel': ({ deps, session, language }) => listMessageChannels(deps, session, language),

  'POST /api/v1/message/channel': context => {
    const { deps, session, body } = context
    return addMessageChannel(deps, { ...body, by: session, from: context })
  },

  'POST /api/v1/message/channel/telegram': context => {
    const { deps, session, body } = context
    return addTelegramChannel(deps, { ...body, by: session, from: context })
  },

  'POST /api/v1/message/channel/test': ({ deps, session, body, language }) =>
    testMessageChannel(deps, session, body.id, language),

  'DELETE /api/v1/message/channel': context =>
    toEmptyAnswer(removeMessageChannel(context.deps, context.session, context.query.id, context)),

  'DELETE /api/v1/user/sessions': async context => ({
    ended: await endOtherSessions(context.deps, context.session, context),
  }),

  'DELETE /api/v1/user/sessions/:id': context =>
    toEmptyAnswer(endOneSession(context.deps, context.session, context.params.id, context)),

  'GET /api/v1/user/events': async ({ deps, session, query, reply, request, ip }) => {
    const leave = enter({ merchant: session.merchantId, address: toIpRateLimitKey(ip) })
    const stream = openEventStream(reply)
    const scope = visibleTo(session)
    const recheck = async () => {
      // Whose role changed opens a stream of what it may see now.
      const live = await isSessionLive(deps, session).catch(error => {
        if (!logLoss(request.log, error)) request.log.warn({ err: error }, 'event stream cannot check its session')
        return true
      })
      if (!live) stream.close()
    }
    const timer = setInterval(recheck, recheckMs)
    const unlisten = deps.live.onMerchant(session.merchantId, hint => {
      const { type, id } = hint
      if (mayHear(session.role, type) && isHintVisible(scope, hint)) stream.send({ type, id })
      // This hint also follows ended sessions, a new password and a freeze: close the stream without waiting 15 s.
      if (type === 'account') void recheck()
    })
    // A page sends its first calls before it opens the stream, which would miss what changes between the two.
    if (query.since > 0)
      for (const { type, id } of recentHints(deps.live, scope, query.since))
        if (mayHear(session.role, type)) stream.send({ type, id })
    await stream.closed
    clearInterval(timer)
    unlisten()
    leave()
  },
})

/** Presents the session of an entry, marked if it is the reader's. */
function entrySession(name: string, current: string) {
  const session = readSessionName(name)
  return session && { device: session.device, created_time: session.created_time, current: session.id === current }
}

/** Runs a sign-in, and leaves a cookie by which the device is recognised next time. */
async function onDevice<T>(
  context: Visitor & { deps: Deps; reply: FastifyReply },
  signIn: (from: Visitor) => Promise<T>,
): Promise<T> {
  const { deps, reply, deviceToken = newSecret() } = context
  const signedIn = await signIn({ ...context, deviceToken })
  setDeviceCookie(deps, reply, deviceToken)
  return signedIn
}

/**
 * Returns the session of an optional token; null without one. Throws Refusal('login_expired') for an ended session.
 */
async function signedIn(deps: Deps, token: string | string[] | undefined): Promise<Session | null> {
  if (typeof token !== 'string' || token === '' || token.length > 200) return null
  return authenticateSession(deps, { token, pending: false })
}

async function userInfo(deps: Deps, session: Session): Promise<RouteData<'GET /api/v1/user/info'>> {
  const { personId, merchantId } = session
  const merchant = await accountById(deps.pool, merchantId, personId)
  if (!merchant) throw new Refusal('login_expired')
  const elsewhere = await merchantPasskeys.elsewhere(deps, deps.pool, personId)
  const { name, email, status, audit_reason, mchid, phone, area_code, time_zone, address, socials, website } = merchant
  const member = await describeMember(deps, session)
  return {
    name,
    email,
    status,
    audit_reason,
    contact: deps.config.contact,
    mchid,
    bind_google_auth: merchant.authenticator_secret !== null,
    phone,
    area_code,
    password: merchant.password_hash !== null,
    security_switch: await proofMethods(deps.pool, merchant),
    security_choices: merchant.security_switch,
    ...(elsewhere !== undefined && { passkeys_host: elsewhere }),
    wallet: await readLinkedWallet(deps.pool, personId),
    phone_verified: merchant.phone_verified,
    recovery_codes: await countRecoveryCodes(deps.pool, personId),
    time_zone,
    address: { street: address.street ?? '', city: address.city ?? '', country: address.country ?? '' },
    socials: { telegram: socials.telegram ?? '', twitter: socials.twitter ?? '', facebook: socials.facebook ?? '' },
    website,
    created_time: merchant.created_at,
    hold: findAccountHold(deps, merchant),
    hold_hours: deps.config.withdrawHoldHours,
    delayed_chains: await delayedChains(deps.pool, deps.clock()),
    fee_bps: getMerchantTerms(deps, merchant).fee_bps,
    sandbox: deps.config.mode === 'sandbox',
    ...(member && { member }),
    ...(session.factorMissing && { second_factor_needed: true as const }),
  }
}
