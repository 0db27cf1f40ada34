import { z } from 'zod'
import { defineRoutes } from '../route.ts'
import { code, email, empty, encodedPassword, newPassword, text } from '../schemas.ts'
import { isAreaCode, isPhone } from '../validators.ts'

const token = z.object({
  token: z.string(),
  /** True when the token opens nothing until `login/verification` has been answered with an authenticator code. */
  verification: z.boolean(),
})

export const publicRoutes = defineRoutes({
  'GET /api/v1/public/config': {
    auth: 'public',
    summary: 'What the pages need to know before anyone signs in',
    data: z.object({
      sandbox: z.boolean(),
      docs_url: z.string(),
      sign_in: z.object({ client_id: z.string(), script_url: z.string(), label: z.string() }).nullable(),
    }),
  },
  'POST /api/v1/public/email/send-verification-code': {
    auth: 'public',
    submission: true,
    summary: 'Send a 6-digit code to a mailbox. Answers the same whether the mailbox is known or not.',
    body: z.strictObject({ email: email.optional(), type: z.int().min(1).max(12) }),
    data: z.object({ resend_after: z.int().describe('Seconds'), expires_in: z.int().describe('Seconds') }),
  },
  'POST /api/v1/public/sms/send-verification-code': {
    auth: 'public',
    submission: true,
    summary: 'Send a 6-digit code to a mobile phone',
    body: z.strictObject({
      phone: text(isPhone, 'bad_phone').optional(),
      area_code: text(isAreaCode, 'area_code_needed').optional(),
      type: z.int().min(1).max(3),
    }),
    data: z.object({ resend_after: z.int(), expires_in: z.int() }),
  },
  'POST /api/v1/public/login': {
    auth: 'public',
    submission: true,
    summary:
      'Sign in with e-mail and password, with e-mail and a code sent to it (purpose 1), or by the third-party sign-in',
    body: z.union([
      z.strictObject({ type: z.literal(1).optional(), email, password: encodedPassword }),
      z.strictObject({ type: z.literal(1).optional(), email, code }),
      z.strictObject({ type: z.literal(4).optional(), google_auth_code: z.string().min(1).max(2048) }),
    ]),
    data: token,
  },
  'POST /api/v1/public/register': {
    auth: 'public',
    submission: true,
    summary: 'Register with a mailbox, the code sent to it and a password',
    body: z.strictObject({ email, code, password: newPassword, confirm_password: newPassword }),
    data: token,
  },
  'POST /api/v1/public/login/verification': {
    auth: 'pending',
    submission: true,
    summary: 'The second step: the 6-digit authenticator code, with the pending token in X-Token',
    body: z.strictObject({ google_code: code }),
    data: z.object({ token: z.string() }),
  },
  'PUT /api/v1/public/password': {
    auth: 'public',
    submission: true,
    summary: 'Choose a new password with a code sent to the mailbox (purpose 3)',
    body: z.strictObject({ email, code, password: newPassword, confirm_password: newPassword }),
    data: empty,
  },
})
