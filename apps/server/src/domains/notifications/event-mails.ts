import type { SecurityGroup } from '@coffer/contract/codes.ts'
import type { MailedEvent } from '@coffer/contract/events.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { formatMoment } from '../../kit/time-zone.ts'
import { adviseOnChannel } from './channel-advice.ts'
import { findPageOfEvent } from './event-pages.ts'
import { createNotMeLink, createWorkPassLink } from './mail-links.ts'
import { renderMemberMail, renderOwnerMail } from './member-mails.ts'
import type { EventMessage, MessageParams } from './message.ts'
import { renderOperatorChange, renderOperatorWarning } from './operator-mails.ts'
import { formatOrigin } from './origin-text.ts'
import { hasNotificationText, renderMessage } from './render-message.ts'

type Texts = Record<Language, string>
export type Known = Pick<Deps, 'config' | 'clock'>
export interface RenderedMail {
  subject: string
  text: string
}

const timeLabels: Texts = { en: 'Time: ', 'zh-CN': '时间：' }

/** Says in a line when an event happened, since a message may come later. */
export const describeTime = ({ created_at, time_zone, language }: EventMessage): string =>
  timeLabels[language] + formatMoment(created_at, time_zone, language)

/** A mail of one sentence, which is also the text message, and of what it concerns. */
interface EventMail extends Texts {
  detail?: (params: MessageParams, message: EventMessage, deps: Known) => string | undefined
  /** Whether the reader cannot have done it, so that no link is offered for when somebody else did. */
  isByOperator?: true
}

/** A mail that is made in another way. */
type MadeMail = (language: Language, params: MessageParams) => RenderedMail

const newDevice: Texts = { en: 'Your account was opened on a new device', 'zh-CN': '您的账号在新设备上登录' }

const describePlace = (params: MessageParams, { language }: EventMessage) => formatOrigin(params, language)

const groups = {
  withdrawal: { en: 'withdrawals and refunds', 'zh-CN': '提现与退款' },
  money: { en: 'transfers, addresses and limits', 'zh-CN': '划转、地址与限额' },
  applications: { en: 'applications and keys', 'zh-CN': '应用与密钥' },
} satisfies Record<SecurityGroup, Texts>
const nameGroup = ({ group }: MessageParams, { language }: EventMessage) => groups[group as SecurityGroup]?.[language]

const nameApplication = ({ name, appid }: MessageParams) => (name && appid ? `${name} (${appid})` : name || appid)
const nameShop = ({ appid, shop }: MessageParams) => `${appid} ${shop}`

/** Who guesses passwords, and how the owner signs in meanwhile. */
function describeGuessing({ ip, device }: MessageParams, { language, address }: EventMessage, deps: Known): string {
  const link = createWorkPassLink(deps, address)
  const texts: Texts = {
    en: `If you want to sign in while this goes on, open this link in the browser that you use (valid for 24 hours):\n${link}`,
    'zh-CN': `如需在此期间登录，请在您使用的浏览器中打开以下链接（24 小时内有效）：\n${link}`,
  }
  return `${[ip, device].filter(Boolean).join(' ')}\n\n${texts[language]}`
}

/** What a frozen merchant may know, and where to write to. */
function describeFreeze({ shown }: MessageParams, { language }: EventMessage, { config: { contact } }: Known): string {
  const [write, separator] = language === 'en' ? [`write to ${contact}`, '; '] : [`联系方式：${contact}`, '；']
  return [shown, contact && write].filter(Boolean).join(separator)
}

const describeCodesLeft = ({ left }: MessageParams, { language }: EventMessage) =>
  ({ en: `Recovery codes left: ${left}`, 'zh-CN': `剩余恢复码：${left}` })[language]

/** Returns the mail about an operator's message in a work order. */
function renderWorkOrderMail(language: Language, params: Record<string, string>) {
  const { work_order: number, theme, text, what } = params
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

/** The mails about events. A text message has the same sentence. */
const eventMails: Record<MailedEvent, EventMail | MadeMail> = {
  account_password_guessed: {
    en: 'Someone entered wrong passwords for your account, and further attempts are slowed down',
    'zh-CN': '有人多次输入错误密码尝试登录您的账号，系统已限制其继续尝试',
    detail: describeGuessing,
  },
  account_new_device: { ...newDevice, detail: describePlace },
  new_device_held: { ...newDevice, detail: describePlace },
  own_sign_in_reported: {
    en: 'A suspicious sign-in was reported. All sessions have ended, and withdrawals are on hold until the operator has confirmed it with you. Change your password now',
    'zh-CN': '您的账号已报告非本人登录，所有设备均已退出，提现已暂停，须由运营方核实后解除。请立即修改密码',
    isByOperator: true,
  },
  account_hold_lifted: { en: 'Withdrawals are possible again', 'zh-CN': '您的账号已恢复提现', isByOperator: true },
  account_password_changed: { en: 'Your password was changed', 'zh-CN': '您的密码已修改' },
  account_password_reset: { en: 'Your password was reset', 'zh-CN': '您的密码已重置' },
  account_authenticator_bound: {
    en: 'An authenticator was bound to your account',
    'zh-CN': '您的账号已绑定身份验证器',
  },
  account_authenticator_removed: {
    en: 'The authenticator was removed from your account',
    'zh-CN': '您的账号已解绑身份验证器',
  },
  account_mailbox_changed: { en: 'The email of your account was changed', 'zh-CN': '您的账号已更换邮箱' },
  account_phone_bound: { en: 'A phone was bound to your account', 'zh-CN': '您的账号已绑定手机' },
  account_push_added: {
    en: 'A device now shows payments to your account',
    'zh-CN': '有设备开启了您账号的到账推送',
    detail: describePlace,
  },
  account_channel_added: {
    en: 'A chat or system now gets messages of your account',
    'zh-CN': '您的账号新增了消息接收渠道',
    detail: (params, message) => [params.name, describePlace(params, message)].filter(Boolean).join('\n'),
  },
  channel_refused: {
    en: 'A chat or system takes no messages any more',
    'zh-CN': '您的一个消息接收渠道已停用',
    detail: ({ name, refused = '' }, { language }, { config }) =>
      `${name}: ${adviseOnChannel(refused, language)}\n${config.publicUrl}/user/messages`,
    isByOperator: true,
  },
  account_sign_in_linked: {
    en: 'A third-party sign-in was linked to your account',
    'zh-CN': '您的账号已关联第三方登录',
  },
  account_security_tightened: {
    en: 'Actions of your account now need stricter confirmation',
    'zh-CN': '您的账号已收紧操作验证方式',
    detail: nameGroup,
  },
  account_security_loosened: {
    en: 'More methods can now confirm actions of your account',
    'zh-CN': '您的账号已放宽操作验证方式',
    detail: nameGroup,
  },
  account_wallet_linked: {
    en: 'A wallet was linked to your account',
    'zh-CN': '您的账号已关联钱包',
    detail: ({ address }) => address,
  },
  account_wallet_unlinked: {
    en: 'The wallet was unlinked from your account',
    'zh-CN': '您的账号已解除钱包关联',
    detail: ({ address }) => address,
  },
  account_passkey_added: {
    en: 'A passkey was added to your account',
    'zh-CN': '您的账号已添加通行密钥',
    detail: ({ name }) => name,
  },
  account_passkey_removed: {
    en: 'A passkey was removed from your account',
    'zh-CN': '您的账号已移除通行密钥',
    detail: ({ name }) => name,
  },
  account_passkey_blocked: {
    en: 'A copy of one of your passkeys was used, and the passkey was blocked',
    'zh-CN': '检测到您的一个通行密钥存在副本，该密钥已停用',
    detail: ({ name }) => name,
  },
  account_recovery_codes_renewed: {
    en: 'New recovery codes were generated for your account',
    'zh-CN': '您的账号已生成新的恢复码',
  },
  account_recovery_code_used: {
    en: 'A recovery code was used to sign in to your account',
    'zh-CN': '有人使用恢复码登录了您的账号',
    detail: describeCodesLeft,
  },
  account_removal_requested: {
    en: 'The removal of the authenticator from your account was requested',
    'zh-CN': '有人申请解绑您账号的身份验证器',
  },
  account_removal_confirmed: {
    en: 'The authenticator will be removed from your account in 24 hours. A sign-in with it cancels this',
    'zh-CN': '您账号的身份验证器将于 24 小时后解绑，使用该验证器登录即可取消',
  },
  account_removal_canceled: {
    en: 'The removal of the authenticator from your account was canceled',
    'zh-CN': '您账号的身份验证器解绑申请已取消',
  },
  account_appearance_changed: {
    en: 'The name, logo or website that your payers see was changed',
    'zh-CN': '付款人看到的商户名称、标识或网站已修改',
    detail: nameApplication,
  },
  account_secret_key_renewed: {
    en: 'The secret key of an application was renewed',
    'zh-CN': '应用密钥已更新',
    detail: nameApplication,
  },
  account_webhook_secret_renewed: {
    en: 'The webhook secret of an application was renewed',
    'zh-CN': '应用回调签名密钥已更新',
    detail: nameApplication,
  },
  account_shop_connected: {
    en: 'A shop was connected to an application',
    'zh-CN': '您的应用接入了一家店铺',
    detail: nameShop,
  },
  account_shop_key_renewed: {
    en: 'The key of a connected shop was renewed',
    'zh-CN': '已接入店铺的密钥已更新',
    detail: nameShop,
  },
  account_shop_webhook_changed: {
    en: 'A connected shop changed its callback address',
    'zh-CN': '已接入店铺修改了回调地址',
    detail: nameShop,
  },
  account_payouts_allowed: {
    en: 'The key of an application may now request withdrawals and refunds',
    'zh-CN': '应用密钥现可发起提现和退款',
    detail: nameApplication,
  },
  account_members_allowed: {
    en: 'The key of an application may now list, invite and remove people of the shop',
    'zh-CN': '应用密钥现可查询、邀请和移除商户成员',
    detail: nameApplication,
  },
  account_notify_url_changed: {
    en: 'The notify URL of an application was changed',
    'zh-CN': '应用回调地址已修改',
    detail: nameApplication,
  },
  account_rates_changed: {
    en: 'The rates of an application were changed',
    'zh-CN': '应用汇率已修改',
    detail: nameApplication,
  },
  account_webhook_endpoint_changed: {
    en: 'A webhook endpoint now receives the events of an application',
    'zh-CN': '应用的事件现发送至新的 Webhook 端点',
    detail: ({ url, appid }) => `${url} (${appid})`,
  },
  account_policy_tightened: { en: 'Your withdrawal policy is stricter now', 'zh-CN': '您的提现策略已收紧，即时生效' },
  account_policy_loosened: {
    en: 'Your withdrawal policy was loosened. It takes effect in 24 hours; until then you can replace it',
    'zh-CN': '您的提现策略已放宽，将于 24 小时后生效，在此之前可重新修改',
  },
  account_transfer_receiver_added: {
    en: 'A new recipient of transfers was added to your account',
    'zh-CN': '您的账号新增了划转收款方',
    detail: ({ name, receiver }) => `${name} (${receiver})`,
  },
  account_address_added: {
    en: 'Your address book has new addresses',
    'zh-CN': '您的地址簿新增了地址',
    detail: ({ labels }) => labels,
  },
  account_withdrawal_requested: {
    en: 'A withdrawal was requested from your account',
    'zh-CN': '您的账号有一笔新的提现申请',
    detail: ({ amount = '', token, to }, { language }) => `${formatAmount(amount, language)} ${token}, ${to}`,
  },
  account_refund_link_made: {
    en: 'A refund link was created',
    'zh-CN': '您的账号创建了退款链接',
    detail: ({ trade_no }) => trade_no,
  },
  account_refund_claimed: {
    en: 'A payer claimed a refund by its link. Until it is sent you can cancel it in the refund records',
    'zh-CN': '付款人已通过链接领取退款，转出前您可在退款记录中取消',
    detail: ({ trade_no, to }) => `${trade_no}, ${to}`,
  },
  account_refund_requested: {
    en: 'A refund was requested',
    'zh-CN': '您的账号发起了一笔退款',
    detail: ({ trade_no, to }) => `${trade_no}, ${to}`,
  },
  account_approved: { en: 'Your merchant permission is open', 'zh-CN': '您的商户权限已开通', isByOperator: true },
  account_refused: {
    en: 'Your request for merchant permission was not approved',
    'zh-CN': '您的商户权限申请未通过审核',
    detail: ({ reason }) => reason,
    isByOperator: true,
  },
  account_frozen: {
    en: 'Your account was frozen',
    'zh-CN': '您的账号已被冻结',
    detail: describeFreeze,
    isByOperator: true,
  },
  account_unfrozen: { en: 'Your account was unfrozen', 'zh-CN': '您的账号已解冻', isByOperator: true },
  account_fees_changed: {
    en: 'Your fees were changed',
    'zh-CN': '您的费率已调整',
    detail: ({ payments, withdrawals }) => `${payments}, ${withdrawals}`,
    isByOperator: true,
  },
  account_closed: { en: 'Your account was closed', 'zh-CN': '您的账号已注销', isByOperator: true },
  members_changed: renderOwnerMail,
  membership_changed: renderMemberMail,
  work_order_message: renderWorkOrderMail,
  operators_changed: (_, params) => renderOperatorChange(params),
  operator_new_device: (_, params) => renderOperatorWarning('operator_new_device', params),
  operator_password_guessed: (_, params) => renderOperatorWarning('operator_password_guessed', params),
}

const fullStop: Texts = { en: '.', 'zh-CN': '。' }
const advice: Texts = {
  en: 'If this was not you, end all sessions and stop payments from your account with this link:',
  'zh-CN': '如非本人操作，请立即打开以下链接，所有设备将退出登录，并暂停所有付款：',
}

const find = (event: string): EventMail | MadeMail | undefined =>
  Object.hasOwn(eventMails, event) ? eventMails[event as MailedEvent] : undefined

/** Names an event by the subject of its mail; by its stored name where that is made of what happened. */
export function nameMailedEvent(event: string, language: Language): string {
  const found = find(event)
  return !found || typeof found === 'function' ? event : found[language]
}

/** Names what happened as the subject of its mail does, or the list of notifications. */
export function nameToldEvent(event: string, params: MessageParams, language: Language): string {
  const found = find(event)
  if (!found) return renderMessage(event, params, language).title
  return typeof found === 'function' ? found(language, params).subject : found[language]
}

/** Returns an event in a sentence, and what it concerns; undefined for one without. */
export function describeEvent(deps: Known, message: EventMessage): { title: string; text: string } | undefined {
  const found = find(message.event)
  if (!found || typeof found === 'function') return undefined
  return { title: found[message.language], text: found.detail?.(message.params, message, deps) ?? '' }
}

/** Returns the mail about an event; undefined for one without. Its link ends what somebody else does. */
export function renderEventMail(deps: Known, message: EventMessage): RenderedMail | undefined {
  const { event, params, person_id, language } = message
  const found = find(event)
  const inMail = (subject: string, parts: (string | undefined)[]) => ({
    subject,
    text: `${parts.filter(Boolean).join('\n\n')}\n`,
  })
  if (!found) {
    if (!hasNotificationText(event)) return undefined
    const { title, content } = renderMessage(event, params, language)
    return inMail(title, [content, describeTime(message), deps.config.publicUrl + findPageOfEvent(message)])
  }
  if (typeof found === 'function') {
    const { subject, text } = found(language, params)
    return inMail(subject, [text.trimEnd(), describeTime(message)])
  }
  const subject = found[language]
  const notMe = found.isByOperator ? '' : `${advice[language]}\n${createNotMeLink(deps, person_id)}`
  const detail = found.detail?.(params, message, deps)
  return inMail(subject, [subject + fullStop[language], detail, describeTime(message), notMe])
}

/** Returns the text message about an event, with the link that ends it; undefined for one without. */
export function renderEventText(deps: Known, message: EventMessage): string | undefined {
  const { event, person_id, language, created_at, time_zone } = message
  const found = find(event)
  if (!found || typeof found === 'function' || found.isByOperator) return undefined
  const link = createNotMeLink(deps, person_id)
  const moment = formatMoment(created_at, time_zone, language)
  const texts: Texts = {
    en: `${found.en}, ${moment}. Not you? ${link}`,
    'zh-CN': `${found['zh-CN']}，${moment}。如非本人操作请打开：${link}`,
  }
  return texts[language]
}
