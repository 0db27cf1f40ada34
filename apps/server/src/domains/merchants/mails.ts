import { accountEventAudiences, type ShopEvent, type ToldEvent } from '@coffer/contract/audiences.ts'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { rolesOfAudience } from '../../kit/audience.ts'
import type { Queryable } from '../../kit/db.ts'
import { createNotMeLink } from './not-me-link.ts'
import { type Account, accountsOfRoles, type Merchant } from './store.ts'

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

const events: Partial<Record<ToldEvent, Texts>> = {
  password_guessed: {
    en: 'Someone entered wrong passwords for your account, and further attempts are slowed down',
    'zh-CN': '有人多次输入错误密码尝试登录您的账号，系统已限制其继续尝试',
  },
  new_device: { en: 'Your account was opened on a new device', 'zh-CN': '您的账号在新设备上登录' },
  not_me: {
    en: 'A suspicious sign-in was reported. All sessions have ended, and withdrawals are on hold until the operator has confirmed it with you. Change your password now',
    'zh-CN': '您的账号已报告非本人登录，所有设备均已退出，提现已暂停，须由运营方核实后解除。请立即修改密码',
  },
  hold_lifted: { en: 'Withdrawals are possible again', 'zh-CN': '您的账号已恢复提现' },
  password_changed: { en: 'Your password was changed', 'zh-CN': '您的密码已修改' },
  password_reset: { en: 'Your password was reset', 'zh-CN': '您的密码已重置' },
  authenticator_bound: { en: 'An authenticator was bound to your account', 'zh-CN': '您的账号已绑定身份验证器' },
  authenticator_removed: { en: 'The authenticator was removed from your account', 'zh-CN': '您的账号已解绑身份验证器' },
  mailbox_changed: { en: 'The email of your account was changed', 'zh-CN': '您的账号已更换邮箱' },
  phone_bound: { en: 'A phone was bound to your account', 'zh-CN': '您的账号已绑定手机' },
  push_added: {
    en: 'A device now shows payments to your account',
    'zh-CN': '有设备开启了您账号的到账推送',
  },
  sign_in_linked: { en: 'A third-party sign-in was linked to your account', 'zh-CN': '您的账号已关联第三方登录' },
  security_tightened: {
    en: 'Actions of your account now need stricter confirmation',
    'zh-CN': '您的账号已收紧操作验证方式',
  },
  security_loosened: {
    en: 'More methods can now confirm actions of your account',
    'zh-CN': '您的账号已放宽操作验证方式',
  },
  wallet_linked: { en: 'A wallet was linked to your account', 'zh-CN': '您的账号已关联钱包' },
  wallet_unlinked: { en: 'The wallet was unlinked from your account', 'zh-CN': '您的账号已解除钱包关联' },
  passkey_added: { en: 'A passkey was added to your account', 'zh-CN': '您的账号已添加通行密钥' },
  passkey_removed: { en: 'A passkey was removed from your account', 'zh-CN': '您的账号已移除通行密钥' },
  passkey_blocked: {
    en: 'A copy of one of your passkeys was used, and the passkey was blocked',
    'zh-CN': '检测到您的一个通行密钥存在副本，该密钥已停用',
  },
  recovery_codes_renewed: {
    en: 'New recovery codes were generated for your account',
    'zh-CN': '您的账号已生成新的恢复码',
  },
  recovery_code_used: {
    en: 'A recovery code was used to sign in to your account',
    'zh-CN': '有人使用恢复码登录了您的账号',
  },
  removal_requested: {
    en: 'The removal of the authenticator from your account was requested',
    'zh-CN': '有人申请解绑您账号的身份验证器',
  },
  removal_confirmed: {
    en: 'The authenticator will be removed from your account in 24 hours. A sign-in with it cancels this',
    'zh-CN': '您账号的身份验证器将于 24 小时后解绑，使用该验证器登录即可取消',
  },
  removal_canceled: {
    en: 'The removal of the authenticator from your account was canceled',
    'zh-CN': '您账号的身份验证器解绑申请已取消',
  },
  appearance_changed: {
    en: 'The name, logo or website that your payers see was changed',
    'zh-CN': '付款人看到的商户名称、标识或网站已修改',
  },
  secret_key_renewed: { en: 'The secret key of an application was renewed', 'zh-CN': '应用密钥已更新' },
  webhook_secret_renewed: { en: 'The webhook secret of an application was renewed', 'zh-CN': '应用回调签名密钥已更新' },
  shop_connected: { en: 'A shop was connected to an application', 'zh-CN': '您的应用接入了一家店铺' },
  shop_key_renewed: { en: 'The key of a connected shop was renewed', 'zh-CN': '已接入店铺的密钥已更新' },
  shop_webhook_changed: {
    en: 'A connected shop changed its callback address',
    'zh-CN': '已接入店铺修改了回调地址',
  },
  payouts_allowed: {
    en: 'The key of an application may now request withdrawals and refunds',
    'zh-CN': '应用密钥现可发起提现和退款',
  },
  notify_url_changed: { en: 'The notify URL of an application was changed', 'zh-CN': '应用回调地址已修改' },
  rates_changed: { en: 'The rates of an application were changed', 'zh-CN': '应用汇率已修改' },
  webhook_endpoint_changed: {
    en: 'A webhook endpoint now receives the events of an application',
    'zh-CN': '应用的事件现发送至新的 Webhook 端点',
  },
  policy_tightened: { en: 'Your withdrawal policy is stricter now', 'zh-CN': '您的提现策略已收紧，即时生效' },
  policy_loosened: {
    en: 'Your withdrawal policy was loosened. It takes effect in 24 hours; until then you can replace it',
    'zh-CN': '您的提现策略已放宽，将于 24 小时后生效，在此之前可重新修改',
  },
  transfer_receiver_added: {
    en: 'A new recipient of transfers was added to your account',
    'zh-CN': '您的账号新增了划转收款方',
  },
  address_added: { en: 'Your address book has new addresses', 'zh-CN': '您的地址簿新增了地址' },
  withdrawal_requested: { en: 'A withdrawal was requested from your account', 'zh-CN': '您的账号有一笔新的提现申请' },
  refund_link_made: { en: 'A refund link was created', 'zh-CN': '您的账号创建了退款链接' },
  refund_claimed: {
    en: 'A payer claimed a refund by its link. Until it is sent you can cancel it in the refund records',
    'zh-CN': '付款人已通过链接领取退款，转出前您可在退款记录中取消',
  },
  refund_requested: { en: 'A refund was requested', 'zh-CN': '您的账号发起了一笔退款' },
  approved: { en: 'Your merchant permission is open', 'zh-CN': '您的商户权限已开通' },
  refused: { en: 'Your request for merchant permission was not approved', 'zh-CN': '您的商户权限申请未通过审核' },
  frozen: { en: 'Your account was frozen', 'zh-CN': '您的账号已被冻结' },
  unfrozen: { en: 'Your account was unfrozen', 'zh-CN': '您的账号已解冻' },
  fees_changed: { en: 'Your fees were changed', 'zh-CN': '您的费率已调整' },
  closed: { en: 'Your account was closed', 'zh-CN': '您的账号已注销' },
}

const fullStop: Texts = { en: '.', 'zh-CN': '。' }
const advice: Texts = {
  en: 'If this was not you, end all sessions and stop payments from your account with this link:',
  'zh-CN': '如非本人操作，请立即打开以下链接，所有设备将退出登录，并暂停所有付款：',
}
const byOperator: ToldEvent[] = [
  'approved',
  'refused',
  'frozen',
  'unfrozen',
  'fees_changed',
  'not_me',
  'hold_lifted',
  'closed',
]

/**
 * Returns the mail about an account event, or undefined for events without one. `link` reports that it was somebody
 * else.
 */
export function eventMail(language: Language, event: ToldEvent, detail: string, link: string) {
  const subject = events[event]?.[language]
  if (!subject) return undefined
  const notMe = byOperator.includes(event) ? '' : `${advice[language]}\n${link}`
  const parts = [subject + fullStop[language], detail, notMe]
  return { subject, text: `${parts.filter(Boolean).join('\n\n')}\n` }
}

/** Returns the text message about an account event, with the link that ends it; undefined for events without one. */
export function renderAlarmMessage(
  deps: Pick<Deps, 'config' | 'clock'>,
  { person_id, language }: Pick<Merchant, 'person_id' | 'language'>,
  event: ToldEvent,
): string | undefined {
  const inLanguage = languageOf(language)
  const subject = events[event]?.[inLanguage]
  if (!subject || byOperator.includes(event)) return undefined
  const link = createNotMeLink(deps, person_id)
  return { en: `${subject}. Not you? ${link}`, 'zh-CN': `${subject}。如非本人操作请打开：${link}` }[inLanguage]
}

/** Returns the mail about an operator's message in a work order. */
export function workOrderMail(
  language: Language,
  { number, theme, text, what }: Record<'number' | 'theme' | 'text', string> & { what: 'answered' | 'documents' },
) {
  const isAnswer = what === 'answered'
  const mails = {
    en: {
      subject: isAnswer ? `Work order ${number} was answered` : `Please send us documents (work order ${number})`,
      text: `${theme}\n\n${text}\n\nReply under "Work orders" in the back-office; replies to this email are not read.\n`,
    },
    'zh-CN': {
      subject: isAnswer ? `工单 ${number} 已回复` : `请补充资料（工单 ${number}）`,
      text: `${theme}\n\n${text}\n\n请在商户后台“工单”页面继续沟通，请勿直接回复此邮件。\n`,
    },
  }
  return mails[language]
}

/**
 * Sends the mail about an account event without waiting. Failures are only logged, because the notification remains.
 */
export function sendEventMail(
  deps: Deps,
  { person_id, email, language }: Pick<Merchant, 'person_id' | 'email' | 'language'>,
  event: ToldEvent,
  detail: string | Texts = '',
): void {
  const inLanguage = languageOf(language)
  const text = typeof detail === 'string' ? detail : detail[inLanguage]
  const mail = eventMail(inLanguage, event, text, createNotMeLink(deps, person_id))
  const send = mail && deps.mail.send({ to: email, ...mail })
  send?.catch(error => deps.log.error({ err: error, event }, 'account mail not sent'))
}

/** Lists the members of a shop whom an event concerns. */
export const membersConcernedBy = (c: Queryable, merchantId: string, event: ShopEvent): Promise<Account[]> =>
  accountsOfRoles(c, merchantId, rolesOfAudience(accountEventAudiences[event]))

/** Sends the mail about an event of a shop to each member whom it concerns, in the language of each. */
export async function sendEventMailToMembers(
  deps: Deps,
  { id }: Pick<Merchant, 'id'>,
  event: ShopEvent,
  detail: string | Texts = '',
): Promise<void> {
  for (const member of await membersConcernedBy(deps.pool, id, event)) sendEventMail(deps, member, event, detail)
}
