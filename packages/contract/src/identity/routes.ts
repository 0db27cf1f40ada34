import { z } from 'zod'
import { emailCodePurpose, phoneCodePurpose, securityChoices } from '../codes.ts'
import { everyRole, merchantRoleNames } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  areaCode,
  email,
  emptyObject,
  encodedPassword,
  id,
  integerTextBetween,
  listOf,
  newPassword,
  paging,
  passkeyAssertion,
  passkeySignInOptions,
  phone,
  proof,
  requiredText,
  sixDigitCode,
  timeZone,
  unixSeconds,
  validatedText,
} from '../kit/schemas.ts'
import { isAreaCode, isPhone } from '../kit/validators.ts'
import { newToken, proofAction, securityGroup, signedWalletMessage, walletMessage, walletQuery } from './factors.ts'

/** The time zone of a new merchant; UTC if left out. */
const shopTimeZone = timeZone.optional()

const token = z.object({
  token: z.string(),
  /** Whether the token is pending: it must be confirmed by an authenticator code with `login/verification` first. */
  verification: z.boolean(),
})

/** The challenge that a code was sent for. Without it, only the address that requested the code can use it. */
const challenge = z.string().min(1).max(64).optional()

export const publicRoutes = defineRoutes({
  'GET /api/v1/public/config': {
    auth: 'public',
    summary: 'Get the public configuration',
    data: z.object({
      sandbox: z.boolean(),
      docs_url: z.string(),
      sign_in: z
        .object({
          client_id: z.string(),
          script_url: z.string(),
          label: z.string(),
          state: z.string(),
          nonce: z.string(),
          code_challenge: z.string(),
        })
        .nullable(),
    }),
  },
  'POST /api/v1/public/email/send-verification-code': {
    auth: 'public',
    summary: 'Send a 6-digit code by email. The response does not reveal whether an account exists.',
    body: z.strictObject({ email: email.optional(), type: z.literal(Object.values(emailCodePurpose)) }),
    data: z.object({
      resend_after: z.int().describe('Seconds'),
      expires_in: z.int().describe('Seconds'),
      challenge: z.string().describe('Send it back with the code when signing in, registering or resetting'),
    }),
  },
  'POST /api/v1/public/sms/send-verification-code': {
    auth: 'public',
    summary: 'Send a 6-digit code by text message',
    body: z.strictObject({
      phone: validatedText(isPhone, 'bad_phone').optional(),
      area_code: validatedText(isAreaCode, 'area_code_needed').optional(),
      type: z.literal(Object.values(phoneCodePurpose)),
    }),
    data: z.object({ resend_after: z.int(), expires_in: z.int(), challenge: z.string() }),
  },
  'POST /api/v1/public/login': {
    auth: 'public',
    summary:
      'Sign in with email and password, with a code sent by email (purpose 1), by third-party sign-in, with a passkey, or with a wallet (EIP-4361)',
    body: z.union([
      z.strictObject({ type: z.literal(1).optional(), passkey: passkeyAssertion }),
      z.strictObject({ type: z.literal(1).optional(), email, password: encodedPassword }),
      z.strictObject({ type: z.literal(1).optional(), email, code: sixDigitCode, challenge }),
      z.strictObject({ type: z.literal(3), ...signedWalletMessage }),
      z.strictObject({
        type: z.literal(4).optional(),
        google_auth_code: z.string().min(1).max(2048),
        state: z.string().max(200).default('').describe('The state of `public/config` that started the sign-in'),
        time_zone: shopTimeZone,
      }),
    ]),
    data: token,
  },
  'GET /api/v1/public/login/passkey': {
    auth: 'public',
    summary: 'Get what a browser needs to sign in with a passkey',
    data: passkeySignInOptions,
  },
  'GET /api/v1/public/login/wallet': {
    auth: 'public',
    summary: 'Get the message that a wallet signs to sign in or to register (EIP-4361)',
    query: walletQuery,
    data: walletMessage,
  },
  'POST /api/v1/public/register': {
    auth: 'public',
    summary: 'Register with an email address, a code sent to it, and a password or a wallet',
    body: z.union([
      z.strictObject({
        email,
        code: sixDigitCode,
        challenge,
        password: newPassword,
        confirm_password: newPassword,
        time_zone: shopTimeZone,
      }),
      z.strictObject({
        type: z.literal(3),
        email,
        code: sixDigitCode,
        challenge,
        ...signedWalletMessage,
        time_zone: shopTimeZone,
      }),
    ]),
    data: token,
  },
  'POST /api/v1/public/login/verification': {
    auth: 'pending',
    summary:
      'Complete the sign-in with a 6-digit authenticator code, or a recovery code, and the pending token in X-Token',
    body: z.union([z.strictObject({ google_code: sixDigitCode }), z.strictObject({ recovery_code: requiredText(40) })]),
    data: z.object({ token: z.string() }),
  },
  'PUT /api/v1/public/password': {
    auth: 'public',
    summary: 'Reset the password with a code sent by email (purpose 3)',
    body: z.strictObject({
      email,
      code: sixDigitCode,
      challenge,
      password: newPassword,
      confirm_password: newPassword,
    }),
    data: emptyObject,
  },
  'POST /api/v1/public/not-me': {
    auth: 'public',
    summary:
      'Report by the link of a mail or message that somebody else used the account: ends all sessions and holds withdrawals until the operator lifts it',
    body: z.strictObject({ token: z.string().regex(/^[\w.-]{1,150}$/, { error: 'link_not_valid' }) }),
    data: emptyObject,
  },
})

export const proofMethod = z.enum(['passkey', 'google', 'email', 'phone'])

export const userInfo = z.object({
  name: z.string(),
  email: z.string(),
  status: z.int().describe('See merchantStatus'),
  audit_reason: z.string(),
  contact: z.string().describe('Where merchants write to: an e-mail address or a page; may be empty'),
  mchid: z.string(),
  bind_google_auth: z.boolean(),
  phone: z.string(),
  area_code: z.string(),
  password: z.boolean().describe('Whether a password is set'),
  security_switch: z.array(proofMethod).describe('Available methods of verification'),
  security_choices: z
    .partialRecord(securityGroup, z.enum(securityChoices))
    .describe('The method chosen for a group of actions; without one all of security_switch confirm it'),
  passkeys_host: z
    .string()
    .optional()
    .describe('Where the passkeys work, if none works here: they confirm nothing here'),
  wallet: z.string().describe('Address of the linked wallet, or empty'),
  phone_verified: z.boolean().describe('Whether codes can be sent to the phone'),
  recovery_codes: z.int().describe('Recovery codes left'),
  time_zone: z.string(),
  address: z.object({ street: z.string(), city: z.string(), country: z.string() }),
  socials: z.object({ telegram: z.string(), twitter: z.string(), facebook: z.string() }),
  website: z.string(),
  created_time: unixSeconds,
  hold: z
    .object({
      cause: z
        .enum(['reported', 'changed'])
        .describe('A reported foreign sign-in, or a factor, password or device that changed'),
      since: unixSeconds,
      until: unixSeconds.describe('0: until the operator lifts it'),
    })
    .nullable()
    .describe('What holds withdrawals, refunds, transfers and new keys, or null'),
  hold_hours: z.int().describe('For how long a changed factor holds them'),
  delayed_chains: z.array(z.string()).describe('Names of chains that are currently delayed'),
  fee_bps: z.int().describe('Platform fee on each payment, in hundredths of a percent'),
  sandbox: z.boolean().describe('Whether this server is a sandbox, where no money is real'),
  member: z
    .object({
      role: z.enum(merchantRoleNames),
      shops: z.int().describe('How many shops the person belongs to'),
      refused: z.array(z.string()).describe('Calls that the role may not make'),
    })
    .optional()
    .describe('Absent for who works alone, and in no other shop'),
  second_factor_needed: z
    .literal(true)
    .optional()
    .describe('Present while the shop requires a second factor that the person does not have: other calls are refused'),
})

export const identityRoutes = defineRoutes({
  'POST /api/v1/user/login-out': {
    who: 'oneself',
    summary: 'End this session',
    body: emptyObject.optional(),
    data: emptyObject,
  },
  'GET /api/v1/user/info': { who: 'oneself', summary: 'Get the signed-in merchant', data: userInfo },
  'PUT /api/v1/user/password': {
    who: 'oneself',
    endsToken: true,
    summary: 'Change the password, and end all other sessions. Omit old_password if no password is set.',
    body: z.strictObject({
      old_password: encodedPassword.optional(),
      password: newPassword,
      confirm_password: newPassword,
      proof: proof.optional(),
    }),
    data: newToken,
  },
  'GET /api/v1/user/google-auth': {
    who: 'oneself',
    summary: 'Create an authenticator secret to bind. It has no effect until it is confirmed.',
    data: z.object({ secret: z.string(), uri: z.string(), bound: z.boolean(), offer: z.string() }),
  },
  'POST /api/v1/user/google-auth': {
    who: 'oneself',
    endsToken: true,
    summary: 'Bind the authenticator with a created secret, by its offer and one of its codes',
    body: z.strictObject({
      offer: z.string().max(500),
      google_code: sixDigitCode,
      recovery_codes: z.boolean().optional().describe('Whether to make ten recovery codes, in place of earlier ones'),
      proof: proof.optional(),
    }),
    data: newToken.extend({ recovery_codes: z.array(z.string()).optional() }),
  },
  'PUT /api/v1/user/mailbox': {
    who: 'oneself',
    endsToken: true,
    summary: 'Change the email address, with a code sent to the new one (purpose 9)',
    body: z.strictObject({ email, code: sixDigitCode, proof: proof.optional() }),
    data: newToken,
  },
  'PUT /api/v1/user/phone': {
    who: 'oneself',
    endsToken: true,
    summary: 'Bind or change the mobile number, with a code sent to it',
    body: z.strictObject({ phone, area_code: areaCode, code: sixDigitCode, proof: proof.optional() }),
    data: newToken,
  },
  'POST /api/v1/user/verification': {
    who: 'oneself',
    summary: 'Exchange a verification code for a ticket that confirms one action within five minutes',
    body: z.strictObject({ proof, action: proofAction }),
    data: z.object({ ticket: z.string(), expires_in: z.int() }),
  },
  'GET /api/v1/user/log': {
    who: 'oneself',
    replica: true,
    summary: 'List sign-ins, account changes and their failures, newest first',
    query: z.strictObject(paging),
    data: listOf(
      z.object({
        id: z.string(),
        type: z.string().describe('See accountEvents'),
        outcome: z.enum(['done', 'refused']),
        reason: z.string().describe('Why it was refused'),
        factor: z.string().describe('What confirmed the identity, joined by "+"'),
        subject: z.string().describe('What it concerned, such as an application'),
        ip: z.string(),
        device: z.string(),
        address: z.string(),
        session: z
          .object({ device: z.string(), created_time: unixSeconds, current: z.boolean() })
          .nullable()
          .describe('The session of the request, by the device and time of its sign-in'),
        person: z.string().optional().describe('Email of the member who did it, where that is not who opened the shop'),
        created_time: unixSeconds,
      }),
    ),
  },
  'POST /api/v1/user/log/not-me': {
    who: 'oneself',
    summary:
      'Report that somebody else used the account: ends all sessions and holds withdrawals until the operator lifts it',
    body: emptyObject.optional(),
    data: emptyObject,
  },
  'GET /api/v1/user/log/export': {
    who: 'oneself',
    kind: 'file',
    summary: 'Export the log as .xlsx. Requires the header X-DOWNLOAD: 1.',
    query: z.strictObject({}),
    data: z.any(),
  },
  'GET /api/v1/user/sessions': {
    who: 'oneself',
    summary: 'List active sessions',
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          ip: z.string(),
          device: z.string(),
          created_time: unixSeconds,
          last_seen: unixSeconds,
          current: z.boolean(),
        }),
      ),
      push: z
        .array(
          z.object({
            id: z.string(),
            device: z.string(),
            created_time: unixSeconds,
            last_seen: unixSeconds,
            current: z.boolean(),
          }),
        )
        .describe('Devices that show received payments, also after their session has expired'),
    }),
  },
  'DELETE /api/v1/user/sessions': {
    who: 'oneself',
    summary: 'End all other sessions',
    body: emptyObject.optional(),
    data: z.object({ ended: z.int() }),
  },
  'DELETE /api/v1/user/sessions/:id': {
    who: 'oneself',
    summary: 'End one session. Ending it again does nothing.',
    params: z.strictObject({ id }),
    body: emptyObject.optional(),
    data: emptyObject,
  },
  'GET /api/v1/user/events': {
    who: everyRole,
    kind: 'events',
    summary:
      'Stream server-sent events on changes (payment, deposit, callback, notification, balance, withdrawal, payment link, account)',
    query: z.strictObject({
      since: integerTextBetween(0, 86_400_000)
        .default(0)
        .describe('Changes in this many milliseconds before the call are reported too; by default none'),
    }),
    data: z.object({
      type: z.enum(['payment', 'deposit', 'callback', 'notification', 'balance', 'withdrawal', 'link', 'account']),
      id: z.string(),
    }),
  },
})
