import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Merchant } from './store.ts'

type Texts = Record<Language, string>

const purposes: Record<number, Texts> = {
  [emailCodePurpose.login]: { en: 'to sign in', 'zh-CN': '登录' },
  [emailCodePurpose.register]: { en: 'to create an account', 'zh-CN': '注册账号' },
  [emailCodePurpose.retrievePassword]: { en: 'to reset your password', 'zh-CN': '重置密码' },
  [emailCodePurpose.opening]: { en: 'to open merchant permission', 'zh-CN': '开通商户权限' },
  [emailCodePurpose.googleAuth]: { en: 'to bind an authenticator', 'zh-CN': '绑定身份验证器' },
  [emailCodePurpose.updateMailbox]: { en: 'to change your email', 'zh-CN': '更换邮箱' },
  [emailCodePurpose.updatePassword]: { en: 'to change your password', 'zh-CN': '修改密码' },
  [emailCodePurpose.withdrawal]: { en: 'to confirm a withdrawal', 'zh-CN': '确认提现' },
  [emailCodePurpose.updateMailboxNew]: { en: 'to use this email for your account', 'zh-CN': '将此邮箱用于您的账号' },
  [emailCodePurpose.bindPhone]: { en: 'to bind a phone', 'zh-CN': '绑定手机' },
  [emailCodePurpose.application]: {
    en: 'to change an application or the name that payers see',
    'zh-CN': '修改应用或付款人看到的名称',
  },
  [emailCodePurpose.withdrawalSettings]: { en: 'to change withdrawal settings', 'zh-CN': '修改提现设置' },
  [emailCodePurpose.addressBook]: { en: 'to change your address book', 'zh-CN': '修改地址簿' },
  [emailCodePurpose.approval]: { en: 'to decide on a withdrawal', 'zh-CN': '复核提现' },
  [emailCodePurpose.markPayment]: { en: 'to mark a payment', 'zh-CN': '人工标记订单' },
  [emailCodePurpose.transfer]: { en: 'to confirm a transfer', 'zh-CN': '确认划转' },
  [emailCodePurpose.passkey]: { en: 'to change your passkeys', 'zh-CN': '管理通行密钥' },
  [emailCodePurpose.wallet]: { en: 'to change the wallet of your account', 'zh-CN': '管理账号关联的钱包' },
  [emailCodePurpose.securitySwitch]: { en: 'to change how you confirm actions', 'zh-CN': '修改操作验证方式' },
  [emailCodePurpose.pushDevice]: { en: 'to show payments on a device', 'zh-CN': '在设备上开启到账推送' },
  [emailCodePurpose.members]: { en: 'to change who belongs to your shop', 'zh-CN': '管理商户成员' },
  [emailCodePurpose.recoveryCodes]: { en: 'to generate recovery codes', 'zh-CN': '生成恢复码' },
  [emailCodePurpose.closeAccount]: { en: 'to close your account', 'zh-CN': '注销账号' },
}

/** Most letters of a merchant's name in a mail to somebody else. */
const nameMax = 40

/**
 * Returns a merchant's name for a mail to somebody who need not know the merchant: in quotation marks, short, and
 * without what could be taken for a link or for words of ours.
 */
export function quoteMerchantName({ name, email }: Pick<Merchant, 'name' | 'email'>): string {
  const plain = (name.trim() || email).replace(/[\p{C}"“”„«»「」]|[:/.](?=\S)/gu, ' ').replace(/\s+/g, ' ')
  const letters = [...plain.trim()]
  return `“${letters.length > nameMax ? `${letters.slice(0, nameMax).join('')}…` : letters.join('')}”`
}

/** Returns the mail with a verification code. */
export function codeMail(language: Language, purpose: number, code: string): { subject: string; text: string } {
  const name = purposes[purpose]?.[language] ?? ''
  const mails = {
    en: {
      subject: `${code} is your verification code`,
      text: `Your code ${name}: ${code}\n\nIt expires in 10 minutes and works once. Never share it. If you did not request it, ignore this email.\n`,
    },
    'zh-CN': {
      subject: `${code} 是您的验证码`,
      text: `验证码：${code}\n用途：${name}\n\n10 分钟内有效，仅可使用一次，请勿告知他人。如非本人操作，请忽略此邮件。\n`,
    },
  }
  return mails[language]
}

/** Returns the text message with a verification code. */
export function codeMessage(language: Language, code: string): string {
  const messages: Texts = {
    en: `${code} is your verification code. It expires in 10 minutes. Never share it.`,
    'zh-CN': `验证码 ${code}，10 分钟内有效，请勿告知他人。`,
  }
  return messages[language]
}
