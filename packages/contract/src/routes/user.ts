import { z } from 'zod'
import { type ProofAction, proofActions } from '../codes.ts'
import { defineRoutes } from '../route.ts'
import {
  code,
  email,
  empty,
  encodedPassword,
  listOf,
  newPassword,
  optionalText,
  paging,
  proof,
  required,
  text,
  unixSeconds,
  urlOrEmpty,
} from '../schemas.ts'
import { isAreaCode, isPhone, isTimeZone } from '../validators.ts'

const address = z.strictObject({ street: optionalText(200), city: optionalText(100), country: optionalText(100) })
const socials = z.strictObject({ telegram: optionalText(100), twitter: optionalText(100), facebook: optionalText(100) })

export const merchantProfile = {
  name: required(64),
  time_zone: text(isTimeZone, 'parameter_error'),
  address,
  socials,
  website: urlOrEmpty,
}

export const userInfo = z.object({
  name: z.string(),
  email: z.string(),
  status: z.int().describe('0 not opened, 1 primary audit, 2 advanced audit, 3 approved, 4 failed audit, 5 abnormal'),
  audit_reason: z.string(),
  mchid: z.string(),
  bind_google_auth: z.boolean(),
  phone: z.string(),
  area_code: z.string(),
  password: z.boolean().describe('Whether a password is set'),
  security_switch: z
    .array(z.enum(['google', 'email', 'phone']))
    .describe('Ways in which an action can be confirmed now'),
  time_zone: z.string(),
  address: z.object({ street: z.string(), city: z.string(), country: z.string() }),
  socials: z.object({ telegram: z.string(), twitter: z.string(), facebook: z.string() }),
  website: z.string(),
  created_time: unixSeconds,
  delayed_chains: z.array(z.string()).describe('Names of chains that are read with a delay at the moment'),
})

const phone = z.string().max(14).refine(isPhone, { error: 'bad_phone' })
const areaCode = z
  .string()
  .max(5)
  .refine(value => value === '' || isAreaCode(value), { error: 'area_code_needed' })

export const userRoutes = defineRoutes({
  'POST /api/v1/user/login-out': {
    auth: 'token',
    submission: true,
    summary: 'End this session',
    body: empty.optional(),
    data: empty,
  },
  'GET /api/v1/user/info': { auth: 'token', summary: 'The signed-in merchant', data: userInfo },
  'PUT /api/v1/user/edit': {
    auth: 'token',
    submission: true,
    summary: 'Change the merchant profile',
    body: z.strictObject(merchantProfile).partial(),
    data: empty,
  },
  'POST /api/v1/user/opening': {
    auth: 'token',
    submission: true,
    summary: 'Ask the operator to open merchant permission; the account is then under review',
    body: z.strictObject({ ...merchantProfile, phone, area_code: areaCode }),
    data: z.object({ status: z.int() }),
  },
  'PUT /api/v1/user/password': {
    auth: 'token',
    submission: true,
    summary: 'Change the password; ends every other session. old_password is left out while none is set.',
    body: z.strictObject({
      old_password: encodedPassword.optional(),
      password: newPassword,
      confirm_password: newPassword,
      proof: proof.optional(),
    }),
    data: empty,
  },
  'GET /api/v1/user/google-auth': {
    auth: 'token',
    summary: 'A new authenticator secret to bind. It counts for nothing until it is confirmed.',
    data: z.object({ secret: z.string(), uri: z.string(), bound: z.boolean() }),
  },
  'POST /api/v1/user/google-auth': {
    auth: 'token',
    submission: true,
    summary: 'Bind the authenticator whose secret was given last, by one of its codes',
    body: z.strictObject({ google_code: code, proof: proof.optional() }),
    data: empty,
  },
  'PUT /api/v1/user/mailbox': {
    auth: 'token',
    submission: true,
    summary: 'Move to another mailbox: the code sent there (purpose 9) and a proof',
    body: z.strictObject({ email, code, proof: proof.optional() }),
    data: empty,
  },
  'PUT /api/v1/user/phone': {
    auth: 'token',
    submission: true,
    summary: 'Bind or change the mobile phone by the code sent to it',
    body: z.strictObject({ phone, area_code: areaCode, code, proof: proof.optional() }),
    data: empty,
  },
  'DELETE /api/v1/user': {
    auth: 'token',
    submission: true,
    summary: 'Close the account; refused while it holds money',
    body: z.strictObject({ proof }),
    data: empty,
  },
  'POST /api/v1/user/verification': {
    auth: 'token',
    submission: true,
    summary: 'Trade a code for a ticket that confirms one action within five minutes',
    body: z.strictObject({ proof, action: z.enum(Object.keys(proofActions) as [ProofAction, ...ProofAction[]]) }),
    data: z.object({ ticket: z.string(), expires_in: z.int() }),
  },
  'GET /api/v1/user/log': {
    auth: 'token',
    summary: 'Sign-ins and changes of the account, newest first',
    query: z.strictObject(paging),
    data: listOf(
      z.object({
        id: z.string(),
        type: z.string(),
        ip: z.string(),
        device: z.string(),
        address: z.string(),
        created_time: unixSeconds,
      }),
    ),
  },
  'GET /api/v1/user/sessions': {
    auth: 'token',
    summary: 'Open sessions',
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
    }),
  },
  'DELETE /api/v1/user/sessions': {
    auth: 'token',
    submission: true,
    summary: 'End all other sessions',
    body: empty.optional(),
    data: z.object({ ended: z.int() }),
  },
  'POST /api/v1/user/upload': {
    auth: 'token',
    kind: 'multipart',
    summary: 'Upload a picture (field `file`): png, jpg, jpeg or gif under 3M. Re-encoded, served under a random name.',
    data: z.object({ url: z.string() }),
  },
  'GET /api/v1/user/events': {
    auth: 'token',
    kind: 'events',
    summary:
      'Server-sent events: what changed for this merchant (payment, deposit, callback, notification, balance, account)',
    data: z.object({
      type: z.enum(['payment', 'deposit', 'callback', 'notification', 'balance', 'account']),
      id: z.string(),
    }),
  },
})
