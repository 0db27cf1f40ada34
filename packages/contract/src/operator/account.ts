import { z } from 'zod'
import { idParams, labelled } from '../kit/operator-parts.ts'
import { operatorRoleNames, ownerRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import {
  email,
  emptyObject,
  encodedPassword,
  integerTextBetween,
  newPassword,
  passkeyAssertion,
  passkeyOptions,
  passkeyRegistration,
  passkeySignInOptions,
  requiredLine,
  requiredText,
  sixDigitCode,
  timeRange,
  unixSeconds,
} from '../kit/schemas.ts'

const role = z.enum(operatorRoleNames)
const ofRole = labelled(role, { label: { en: 'Role', 'zh-CN': '角色' } })
const secret = z.string().min(20).max(128)
const token = z.object({ token: z.string() })
const me = z.object({
  id: z.string(),
  email: z.string(),
  role,
  /** Until when calls that need a fresh code are allowed. */
  fresh_until: unixSeconds,
  now: unixSeconds,
  sandbox: z.boolean(),
})
const operator = z.object({
  id: z.string(),
  email: z.string(),
  role,
  /** Whether the one-time link was used. */
  active: z.boolean(),
  created_time: unixSeconds,
  last_seen: unixSeconds,
  /** E-mail; empty: a user of the command line. */
  invited_by: z.string(),
})
/** Whether another owner must ask for the same, before anything happens. */
const waiting = z.object({ waits: z.boolean() })
/** `link` is empty but for the first owner, whom the command line adds: it is mailed to the invited address. */
const link = waiting.extend({ link: z.string(), expires_time: unixSeconds })
/** Accounts and sessions of operators, and their log. */
export const accountRoutes = defineOperatorRoutes({
  'POST /api/operator/v1/public/login': {
    auth: 'public',
    unstored: true,
    summary: 'Sign in with email and password; the token is then good for the authenticator code',
    body: z.strictObject({ email, password: encodedPassword }),
    data: token,
  },
  'POST /api/operator/v1/public/login/verification': {
    auth: 'pending',
    summary: 'Enter the authenticator code, which completes the sign-in',
    body: z.strictObject({ google_code: sixDigitCode }),
    data: token,
  },
  'GET /api/operator/v1/public/login/passkey': {
    auth: 'public',
    summary: 'Get what a browser needs to sign in with a passkey',
    data: passkeySignInOptions,
  },
  'POST /api/operator/v1/public/login/passkey': {
    auth: 'public',
    unstored: true,
    summary: 'Sign in with a passkey, which stands for password and authenticator',
    body: z.strictObject({ passkey: passkeyAssertion }),
    data: token,
  },
  'POST /api/operator/v1/public/invitation': {
    auth: 'public',
    unstored: true,
    summary: 'Read a one-time link: whose it is, and a secret for the authenticator',
    body: z.strictObject({ invitation: secret }),
    data: z.object({ email: z.string(), role, secret: z.string(), uri: z.string(), offer: z.string() }),
  },
  'POST /api/operator/v1/public/invitation/accept': {
    auth: 'public',
    unstored: true,
    summary: 'Set password and authenticator by a one-time link, which ends it, and sign in',
    body: z.strictObject({
      invitation: secret,
      password: newPassword,
      offer: z.string().max(500),
      google_code: sixDigitCode,
    }),
    data: token,
  },
  'GET /api/operator/v1/session': {
    who: 'oneself',
    summary: 'Read who is signed in',
    data: me,
  },
  'POST /api/operator/v1/session/fresh': {
    who: 'oneself',
    unstored: true,
    summary: 'Enter a fresh authenticator code, for calls that need one',
    body: z.strictObject({ google_code: sixDigitCode }),
    data: z.object({ fresh_until: unixSeconds }),
  },
  'DELETE /api/operator/v1/session': {
    who: 'oneself',
    unstored: true,
    summary: 'Sign out',
    data: emptyObject,
  },

  'GET /api/operator/v1/passkeys': {
    who: readingRoles,
    summary: 'List the passkeys of the operator',
    data: z.object({
      /** Whether browsers can use passkeys at this site. */
      available: z.boolean(),
      list: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          synced: z.boolean(),
          created_time: unixSeconds,
          /** 0 if it was never used. */
          last_used: unixSeconds,
          blocked: z.boolean(),
          /** Where it was made, unless that is here: it works there only. */
          host: z.string().optional(),
          /** As policy.json of the signer names it; null for a type that the signer does not take. */
          signer_key: z.string().nullable(),
        }),
      ),
    }),
  },
  'GET /api/operator/v1/passkeys/new': {
    who: readingRoles,
    summary: 'Get what a browser needs to make a passkey',
    data: passkeyOptions,
  },
  'POST /api/operator/v1/passkeys': {
    who: readingRoles,
    fresh: true,
    object: null,
    dialog: {
      button: { en: 'Add a passkey', 'zh-CN': '添加通行密钥' },
      text: {
        en: 'You can then sign in and approve withdrawals with it. Your browser asks where to store it.',
        'zh-CN': '添加后可用其登录和审核提现，浏览器会询问保存位置。',
      },
    },
    title: { en: 'Added a passkey', 'zh-CN': '添加通行密钥' },
    summary: 'Add a passkey of the operator',
    body: z.strictObject({
      name: labelled(requiredLine(64), { label: { en: 'Name', 'zh-CN': '名称' }, line: true }),
      passkey: passkeyRegistration,
    }),
    data: emptyObject,
  },
  'DELETE /api/operator/v1/passkeys/:id': {
    who: readingRoles,
    fresh: true,
    object: null,
    dialog: {
      button: { en: 'Remove', 'zh-CN': '移除' },
      text: {
        en: '{name} can no longer be used, and your other sessions end.',
        'zh-CN': '“{name}”将无法再使用，您的其他会话将退出登录。',
      },
      done: { en: 'Removed', 'zh-CN': '已移除' },
      look: 'danger',
    },
    title: { en: 'Removed a passkey', 'zh-CN': '移除通行密钥' },
    summary: 'Remove a passkey of the operator, whose other sessions end',
    params: z.strictObject({ id: requiredText(1_400) }),
    data: emptyObject,
  },

  'GET /api/operator/v1/operators': {
    who: readingRoles,
    summary: 'List operators',
    data: z.object({ list: z.array(operator) }),
  },
  'POST /api/operator/v1/operators': {
    who: ownerRoles,
    fresh: true,
    second: 'owners',
    object: 'operator',
    dialog: {
      button: { en: 'Add operator', 'zh-CN': '添加运营人员' },
      text: {
        en: 'They get a one-time link by email, which asks for a password and an authenticator and expires in a day. All owners are notified.',
        'zh-CN': '系统将向对方邮箱发送一次性链接，用于设置密码并绑定身份验证器，1 天内有效。所有所有者都会收到通知。',
      },
      done: {
        en: 'The link was sent to their email. It works once, within a day.',
        'zh-CN': '链接已发送至对方邮箱，1 天内有效，仅可使用一次。',
      },
      look: 'primary',
    },
    title: { en: 'Added an operator', 'zh-CN': '添加运营人员' },
    summary: 'Add an operator, who gets the one-time link by email',
    body: z.strictObject({
      email: labelled(email.meta({ maxLength: 254 }), { label: { en: 'Email', 'zh-CN': '邮箱' }, line: true }),
      role: ofRole,
    }),
    data: link,
  },
  'PUT /api/operator/v1/operators/:id': {
    who: ownerRoles,
    fresh: true,
    second: 'owners',
    object: 'operator',
    dialog: {
      button: { en: 'Change role', 'zh-CN': '修改角色' },
      text: {
        en: 'The new role of {email} applies from the next request, also in open sessions.',
        'zh-CN': '{email} 的新角色从下一次请求起生效，已登录的会话同样适用。',
      },
    },
    title: { en: 'Changed the role', 'zh-CN': '修改角色' },
    summary: 'Change the role of an operator',
    params: idParams,
    body: z.strictObject({ role: ofRole }),
    data: waiting,
  },
  'POST /api/operator/v1/operators/:id/link': {
    who: ownerRoles,
    fresh: true,
    second: 'owners',
    object: 'operator',
    dialog: {
      button: { en: 'New link', 'zh-CN': '重新生成链接' },
      text: {
        en: '{email} loses password, authenticator and passkeys, is signed out, and gets a link by email. It works once, within a day.',
        'zh-CN':
          '{email} 的密码、身份验证器和通行密钥将失效并退出登录，新链接将发送至其邮箱，1 天内有效，仅可使用一次。',
      },
      done: {
        en: 'The link was sent to their email. It works once, within a day.',
        'zh-CN': '链接已发送至对方邮箱，1 天内有效，仅可使用一次。',
      },
    },
    title: { en: 'Sent a new link', 'zh-CN': '重新发送链接' },
    summary: 'Mail a new one-time link, which replaces password and authenticator and ends all sessions',
    params: idParams,
    data: link,
  },
  'DELETE /api/operator/v1/operators/:id': {
    who: ownerRoles,
    fresh: true,
    second: 'owners',
    object: 'operator',
    dialog: {
      button: { en: 'Remove', 'zh-CN': '移除' },
      text: {
        en: '{email} is signed out at once and can no longer sign in. The log keeps what they did.',
        'zh-CN': '{email} 将立即退出登录且无法再次登录，操作日志会保留。',
      },
      done: { en: 'Removed', 'zh-CN': '已移除' },
      look: 'danger',
    },
    title: { en: 'Removed the operator', 'zh-CN': '移除运营人员' },
    summary: 'Remove an operator, whose sessions end at once',
    params: idParams,
    data: waiting,
  },
  'GET /api/operator/v1/log': {
    who: readingRoles,
    replica: true,
    summary: 'Read what operators did, newest first, from an entry on',
    query: z.strictObject({
      ...timeRange,
      before: integerTextBetween(1, 1e15).optional(),
      text: requiredText(100)
        .optional()
        .describe('Part of the object, the call, what changed, the person or the outcome'),
      who: requiredText(254).optional().describe('Part of the email address of the person'),
    }),
    data: z.object({
      list: z.array(
        z.object({
          seq: z.int(),
          /** E-mail at the time. */
          who: z.string(),
          /** Id; empty: a user of the command line, or nobody known. */
          person: z.string(),
          ip: z.string(),
          action: z.string(),
          subject: z.string(),
          /** `waits`: another operator must ask for the same before it happens. */
          outcome: z.enum(['done', 'waits', 'refused', 'interrupted']),
          reason: z.string(),
          before: z.record(z.string(), z.unknown()).nullable(),
          after: z.record(z.string(), z.unknown()).nullable(),
          created_time: unixSeconds,
        }),
      ),
      /** Continues with older entries; 0 at the end. */
      next: z.int(),
    }),
  },
})
