import { defineHandlers } from '../../http/context.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { accountLogCount, accountLogPage } from '../merchants/account-events.ts'
import { locationText } from '../notifications/messages.ts'
import { bindAuthenticator, offerAuthenticator } from './bind-authenticator.ts'
import { bindPhone } from './bind-phone.ts'
import { changeMailbox } from './change-mailbox.ts'
import { changePassword } from './change-password.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { listSessions } from './list-sessions.ts'
import { logout } from './logout.ts'
import { userInfo } from './user-info.ts'
import { verifyAction } from './verify-action.ts'

/** Routes of the signed-in merchant: profile, factors, sessions. */
export const userHandlers = defineHandlers({
  'POST /api/v1/user/login-out': async context => {
    await logout(context.deps, { session: context.session, from: context })
    return {}
  },

  'GET /api/v1/user/info': async ({ deps, session }) => userInfo(deps, session),

  'PUT /api/v1/user/password': async context => {
    await changePassword(context.deps, { ...context.body, session: context.session, from: context })
    return {}
  },

  'GET /api/v1/user/google-auth': async ({ deps, session }) => offerAuthenticator(deps, session),

  'POST /api/v1/user/google-auth': async context => {
    const { google_code: code, proof } = context.body
    await bindAuthenticator(context.deps, { session: context.session, code, proof, from: context })
    return {}
  },

  'PUT /api/v1/user/mailbox': async context => {
    await changeMailbox(context.deps, { ...context.body, session: context.session, from: context })
    return {}
  },

  'PUT /api/v1/user/phone': async context => {
    await bindPhone(context.deps, { ...context.body, session: context.session, from: context })
    return {}
  },

  'POST /api/v1/user/verification': async ({ deps, session, body }) =>
    verifyAction(deps, { ...body, merchantId: session.merchantId }),

  'GET /api/v1/user/log': async ({ deps, session: { merchantId }, query, language }) =>
    listAnswer(
      accountLogPage(deps.pool, merchantId, pageOf(query)),
      accountLogCount(deps.pool, merchantId),
      ({ created_at, address, ...row }) => ({
        ...row,
        address: locationText(address, language),
        created_time: created_at,
      }),
    ),

  'GET /api/v1/user/sessions': async ({ deps, session }) => ({ list: await listSessions(deps, { session }) }),

  'DELETE /api/v1/user/sessions': async context => ({
    ended: await endOtherSessions(context.deps, { session: context.session, from: context }),
  }),
})
