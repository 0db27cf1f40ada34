import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { AccountEvent } from './account-log.ts'

interface Text {
  subject: string
  text: string
}
type Texts = Record<Language, string>

const purposes: Record<number, Texts> = {
  [emailCodePurpose.login]: { en: 'to sign in', 'zh-CN': '登录' },
  [emailCodePurpose.register]: { en: 'to register', 'zh-CN': '注册' },
  [emailCodePurpose.retrievePassword]: { en: 'to choose a new password', 'zh-CN': '找回密码' },
  [emailCodePurpose.opening]: { en: 'to open merchant permission', 'zh-CN': '开通商户权限' },
  [emailCodePurpose.googleAuth]: { en: 'to bind an authenticator', 'zh-CN': '绑定身份验证器' },
  [emailCodePurpose.updateMailbox]: { en: 'to change your mailbox', 'zh-CN': '更换邮箱' },
  [emailCodePurpose.updatePassword]: { en: 'to change your password', 'zh-CN': '修改密码' },
  [emailCodePurpose.withdrawal]: { en: 'to confirm a withdrawal', 'zh-CN': '确认提现' },
  [emailCodePurpose.updateMailboxNew]: {
    en: 'to use this mailbox for your account',
    'zh-CN': '将此邮箱用于您的账号',
  },
  [emailCodePurpose.bindPhone]: { en: 'to bind a mobile phone', 'zh-CN': '绑定手机' },
  [emailCodePurpose.application]: { en: 'to change an application', 'zh-CN': '修改应用' },
  [emailCodePurpose.closeAccount]: { en: 'to close your account', 'zh-CN': '注销账号' },
}

const codeMails: Record<Language, (what: string, code: string) => Text> = {
  en: (what, code) => ({
    subject: `${code} is your verification code`,
    text: `Your code ${what}: ${code}\n\nIt expires in 10 minutes and works once. Never share it. If you did not ask for it, ignore this mail.\n`,
  }),
  'zh-CN': (what, code) => ({
    subject: `${code} 是您的验证码`,
    text: `验证码：${code}\n用途：${what}\n\n10分钟内有效，仅可使用一次。请勿告知任何人。如非您本人操作，请忽略此邮件。\n`,
  }),
}
const codeMessages: Record<Language, (code: string) => string> = {
  en: code => `${code} is your code. It expires in 10 minutes. Never share it.`,
  'zh-CN': code => `验证码 ${code}，10分钟内有效，请勿告知任何人。`,
}

/** The mail that carries a code. */
export const codeMail = (language: Language, purpose: number, code: string): Text =>
  codeMails[language](purposes[purpose]?.[language] ?? '', code)

/** The text message that carries a code. */
export const codeMessage = (language: Language, code: string): string => codeMessages[language](code)

const events: Partial<Record<AccountEvent, Texts>> = {
  password_changed: { en: 'Your password was changed', 'zh-CN': '您的密码已修改' },
  password_reset: { en: 'A new password was chosen for your account', 'zh-CN': '您的账号已重设密码' },
  authenticator_bound: { en: 'An authenticator was bound to your account', 'zh-CN': '您的账号已绑定身份验证器' },
  authenticator_removed: {
    en: 'The authenticator was removed from your account',
    'zh-CN': '您的账号已解绑身份验证器',
  },
  mailbox_changed: { en: 'Your account moved to another mailbox', 'zh-CN': '您的账号已更换邮箱' },
  phone_bound: { en: 'A mobile phone was bound to your account', 'zh-CN': '您的账号已绑定手机' },
  sign_in_linked: { en: 'A third-party sign-in was linked to your account', 'zh-CN': '您的账号已关联第三方登录' },
  secret_key_renewed: { en: 'The secret key of an application was renewed', 'zh-CN': '应用密钥已更新' },
  webhook_secret_renewed: {
    en: 'The webhook secret of an application was renewed',
    'zh-CN': '应用的回调签名密钥已更新',
  },
  notify_url_changed: {
    en: 'The callback address of an application was changed',
    'zh-CN': '应用的回调地址已修改',
  },
  approved: { en: 'Your merchant account is open', 'zh-CN': '您的商户账号已开通' },
  refused: { en: 'Your application for a merchant account was refused', 'zh-CN': '您的商户开通申请未通过' },
  frozen: { en: 'Your account was frozen', 'zh-CN': '您的账号已被冻结' },
  unfrozen: { en: 'Your account is no longer frozen', 'zh-CN': '您的账号已解除冻结' },
  closed: { en: 'Your account was closed', 'zh-CN': '您的账号已注销' },
}

const fullStop: Texts = { en: '.', 'zh-CN': '。' }
const advice: Texts = {
  en: 'If this was not you, contact the operator at once.',
  'zh-CN': '如非您本人操作，请立即联系运营方。',
}
const byOperator: AccountEvent[] = ['approved', 'refused', 'frozen', 'unfrozen']

/** The mail that tells of a change to the account, so that somebody who did not make it learns of it; or undefined. */
export function eventMail(language: Language, event: AccountEvent, detail: string): Text | undefined {
  const subject = events[event]?.[language]
  if (!subject) return undefined
  const parts = [subject + fullStop[language], detail, byOperator.includes(event) ? '' : advice[language]]
  return { subject, text: `${parts.filter(Boolean).join('\n\n')}\n` }
}
