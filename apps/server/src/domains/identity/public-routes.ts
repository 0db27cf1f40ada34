import type { Deps } from '../../deps.ts'
import { defineHandlers } from '../../http/context.ts'
import { login, loginByCode } from './login.ts'
import { loginThirdParty } from './login-third-party.ts'
import { register } from './register.ts'
import { resetPassword } from './reset-password.ts'
import { isOpenPurpose, sendEmailCode } from './send-email-code.ts'
import { sendPhoneCode } from './send-phone-code.ts'
import { useSession } from './use-session.ts'
import { verifyLogin } from './verify-login.ts'

/** Routes that require no session. */
export const publicHandlers = defineHandlers({
  'GET /api/v1/public/config': async ({ deps: { config, signIn } }) => ({
    sandbox: config.mode === 'sandbox',
    docs_url: '/docs',
    sign_in: signIn && { client_id: signIn.clientId, script_url: signIn.scriptUrl, label: signIn.label },
  }),

  'POST /api/v1/public/email/send-verification-code': async context => {
    const { deps, body } = context
    const merchantId = isOpenPurpose(body.type) ? null : await signedIn(deps, context.request.headers['x-token'])
    return sendEmailCode(deps, { purpose: body.type, email: body.email, merchantId, from: context })
  },

  'POST /api/v1/public/sms/send-verification-code': async context => {
    const { deps, body } = context
    const { type: purpose, phone, area_code } = body
    const merchantId = await signedIn(deps, context.request.headers['x-token'])
    return sendPhoneCode(deps, { purpose, phone, area_code, merchantId, from: context })
  },

  'POST /api/v1/public/login': async context => {
    const { deps, body } = context
    if ('google_auth_code' in body) return loginThirdParty(deps, { code: body.google_auth_code, from: context })
    if ('code' in body) return loginByCode(deps, { ...body, from: context })
    return login(deps, { ...body, from: context })
  },

  'POST /api/v1/public/register': async context => register(context.deps, { ...context.body, from: context }),

  'POST /api/v1/public/login/verification': async context =>
    verifyLogin(context.deps, { session: context.session, code: context.body.google_code, from: context }),

  'PUT /api/v1/public/password': async context => {
    await resetPassword(context.deps, { ...context.body, from: context })
    return {}
  },
})

/** Returns the merchant of an optional token; null when it is missing or its session has ended. */
async function signedIn(deps: Deps, token: string | string[] | undefined): Promise<string | null> {
  if (typeof token !== 'string' || token === '' || token.length > 200) return null
  return (await useSession(deps, { token, pending: false })).merchantId
}
