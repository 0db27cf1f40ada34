import { placeText } from '../../account-messages.ts'
import { bindAuthenticator, offerAuthenticator } from '../../commands/bind-authenticator.ts'
import { bindPhone } from '../../commands/bind-phone.ts'
import { changeMailbox } from '../../commands/change-mailbox.ts'
import { changePassword } from '../../commands/change-password.ts'
import { closeAccount } from '../../commands/close-account.ts'
import { editProfile } from '../../commands/edit-profile.ts'
import { endOtherSessions } from '../../commands/end-other-sessions.ts'
import { listSessions } from '../../commands/list-sessions.ts'
import { logout } from '../../commands/logout.ts'
import { requestOpening } from '../../commands/request-opening.ts'
import { uploadImage } from '../../commands/upload-image.ts'
import { userInfo } from '../../commands/user-info.ts'
import { verifyAction } from '../../commands/verify-action.ts'
import { accountLogCount, accountLogPage } from '../../store/account-log.ts'
import { defineHandlers } from '../context.ts'
import { readPicture } from '../uploads.ts'

/** The signed-in merchant: profile, factors, sessions. */
export const userHandlers = defineHandlers({
  'POST /api/v1/user/login-out': async context => {
    await logout(context.deps, { session: context.session, from: context })
    return {}
  },

  'GET /api/v1/user/info': async ({ deps, session }) => userInfo(deps, session),

  'PUT /api/v1/user/edit': async context => {
    const { merchantId } = context.session
    await editProfile(context.deps, { merchantId, changes: context.body, from: context })
    return {}
  },

  'POST /api/v1/user/opening': async context =>
    requestOpening(context.deps, { ...context.body, merchantId: context.session.merchantId, from: context }),

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

  'DELETE /api/v1/user': async context => {
    const { merchantId } = context.session
    await closeAccount(context.deps, { merchantId, proof: context.body.proof, from: context })
    return {}
  },

  'POST /api/v1/user/verification': async ({ deps, session, body }) =>
    verifyAction(deps, { ...body, merchantId: session.merchantId }),

  'GET /api/v1/user/log': async ({ deps, session: { merchantId }, query: { current, pageSize }, language }) => {
    const [rows, total] = await Promise.all([
      accountLogPage(deps.pool, merchantId, pageSize, (current - 1) * pageSize),
      accountLogCount(deps.pool, merchantId),
    ])
    const list = rows.map(({ created_at, address, ...row }) => ({
      ...row,
      address: placeText(address, language),
      created_time: created_at,
    }))
    return { list, total }
  },

  'GET /api/v1/user/sessions': async ({ deps, session }) => ({ list: await listSessions(deps, { session }) }),

  'DELETE /api/v1/user/sessions': async context => ({
    ended: await endOtherSessions(context.deps, { session: context.session, from: context }),
  }),

  'POST /api/v1/user/upload': async ({ deps, session: { merchantId }, request }) =>
    uploadImage(deps, { merchantId, bytes: await readPicture(request) }),
})
