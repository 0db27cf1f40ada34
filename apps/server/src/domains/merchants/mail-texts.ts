import type { Language } from '@coffer/contract'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { AccountEvent } from './account-log.ts'

interface Text {
  subject: string
  text: string
}
type Both = Record<Language, string>

const purposes: Record<number, Both> = {
  [emailCodePurpose.login]: { 'en-US': 'to sign in', 'zh-CN': '登录' },
  [emailCodePurpose.register]: { 'en-US': 'to register', 'zh-CN': '注册' },
  [emailCodePurpose.retrievePassword]: { 'en-US': 'to choose a new password', 'zh-CN': '找回密码' },
  [emailCodePurpose.opening]: { 'en-US': 'to open merchant permission', 'zh-CN': '开通商户权限' },
  [emailCodePurpose.googleAuth]: { 'en-US': 'to bind an authenticator', 'zh-CN': '绑定身份验证器' },
  [emailCodePurpose.updateMailbox]: { 'en-US': 'to change your mailbox', 'zh-CN': '更换邮箱' },
  [emailCodePurpose.updatePassword]: { 'en-US': 'to change your password', 'zh-CN': '修改密码' },
  [emailCodePurpose.withdrawal]: { 'en-US': 'to confirm a withdrawal', 'zh-CN': '确认提现' },
  [emailCodePurpose.updateMailboxNew]: {
    'en-US': 'to use this mailbox for your account',
    'zh-CN': '将此邮箱用于您的账号',
  },
  [emailCodePurpose.bindPhone]: { 'en-US': 'to bind a mobile phone', 'zh-CN': '绑定手机' },
  [emailCodePurpose.application]: { 'en-US': 'to change an application', 'zh-CN': '修改应用' },
  [emailCodePurpose.closeAccount]: { 'en-US': 'to close your account', 'zh-CN': '注销账号' },
}

/** The mail that carries a code. */
export function codeMail(language: Language, purpose: number, code: string): Text {
  const what = purposes[purpose]?.[language] ?? ''
  if (language === 'zh-CN')
    return {
      subject: `${code} 是您的验证码`,
      text: `验证码：${code}\n用途：${what}\n\n10分钟内有效，仅可使用一次。请勿告知任何人。如非您本人操作，请忽略此邮件。\n`,
    }
  return {
    subject: `${code} is your verification code`,
    text: `Your code ${what}: ${code}\n\nIt is good for 10 minutes and counts once. Do not tell it to anybody. If you did not ask for it, ignore this mail.\n`,
  }
}

/** The text message that carries a code. */
export const codeMessage = (language: Language, code: string): string =>
  language === 'zh-CN'
    ? `验证码 ${code}，10分钟内有效，请勿告知任何人。`
    : `${code} is your code. It is good for 10 minutes. Do not tell it to anybody.`

const events: Partial<Record<AccountEvent, Both>> = {
  password_changed: { 'en-US': 'Your password was changed', 'zh-CN': '您的密码已修改' },
  password_reset: { 'en-US': 'A new password was chosen for your account', 'zh-CN': '您的账号已重设密码' },
  authenticator_bound: { 'en-US': 'An authenticator was bound to your account', 'zh-CN': '您的账号已绑定身份验证器' },
  authenticator_removed: {
    'en-US': 'The authenticator was removed from your account',
    'zh-CN': '您的账号已解绑身份验证器',
  },
  mailbox_changed: { 'en-US': 'Your account moved to another mailbox', 'zh-CN': '您的账号已更换邮箱' },
  phone_bound: { 'en-US': 'A mobile phone was bound to your account', 'zh-CN': '您的账号已绑定手机' },
  sign_in_linked: { 'en-US': 'A third-party sign-in was linked to your account', 'zh-CN': '您的账号已关联第三方登录' },
  secret_key_renewed: { 'en-US': 'The secret key of an application was renewed', 'zh-CN': '应用密钥已更新' },
  webhook_secret_renewed: {
    'en-US': 'The webhook secret of an application was renewed',
    'zh-CN': '应用的回调签名密钥已更新',
  },
  notify_url_changed: {
    'en-US': 'The callback address of an application was changed',
    'zh-CN': '应用的回调地址已修改',
  },
  approved: { 'en-US': 'Your merchant account is open', 'zh-CN': '您的商户账号已开通' },
  refused: { 'en-US': 'Your application for a merchant account was refused', 'zh-CN': '您的商户开通申请未通过' },
  frozen: { 'en-US': 'Your account was frozen', 'zh-CN': '您的账号已被冻结' },
  unfrozen: { 'en-US': 'Your account is no longer frozen', 'zh-CN': '您的账号已解除冻结' },
  closed: { 'en-US': 'Your account was closed', 'zh-CN': '您的账号已注销' },
}

/** The mail that tells of a change to the account, so that somebody who did not make it learns of it; or undefined. */
export function eventMail(language: Language, event: AccountEvent, detail: string): Text | undefined {
  const subject = events[event]?.[language]
  if (!subject) return undefined
  const byOperator = event === 'approved' || event === 'refused' || event === 'frozen' || event === 'unfrozen'
  const advice =
    language === 'zh-CN' ? '如非您本人操作，请立即联系运营方。' : 'If this was not you, contact the operator at once.'
  return {
    subject,
    text:
      [subject + (language === 'zh-CN' ? '。' : '.'), detail, byOperator ? '' : advice].filter(Boolean).join('\n\n') +
      '\n',
  }
}
