import type { Language } from '@coffer/contract'
import { accountMessages } from './account-messages.ts'

/** The texts of notifications, by the key that is stored. `{name}` stands for a parameter of the notification. */
export const messages = {
  ...accountMessages,
  payment_paid: {
    en: { title: 'Payment received', content: 'Order {out_trade_no} was paid: {amount} {token} on {chain}.' },
    'zh-CN': { title: '收款成功', content: '订单 {out_trade_no} 已付款：{amount} {token}（{chain}）。' },
  },
  payment_partial: {
    en: {
      title: 'Payment incomplete',
      content: 'Order {out_trade_no} has received {amount} of {asked} {token} on {chain}.',
    },
    'zh-CN': { title: '部分付款', content: '订单 {out_trade_no} 已收到 {amount} / {asked} {token}（{chain}）。' },
  },
  payment_over: {
    en: {
      title: 'More paid than asked',
      content:
        'Order {out_trade_no} has received {amount} {token} on {chain}, {asked} were asked. The surplus can be refunded.',
    },
    'zh-CN': {
      title: '超额付款',
      content: '订单 {out_trade_no} 已收到 {amount} {token}（{chain}），应付 {asked}。多付部分可退款。',
    },
  },
  payment_late: {
    en: {
      title: 'Late payment',
      content:
        'Money for order {out_trade_no} came after its end and was credited to you: {amount} {token} on {chain} in all.',
    },
    'zh-CN': {
      title: '逾期到账',
      content: '订单 {out_trade_no} 结束后仍收到款项，已计入您的余额：共 {amount} {token}（{chain}）。',
    },
  },
  payment_not_counted: {
    en: {
      title: 'Other money for an order',
      content:
        '{amount} {token} on {chain} came for order {out_trade_no} and was credited to you. It does not count towards the order.',
    },
    'zh-CN': {
      title: '收到未计入订单的款项',
      content: '订单 {out_trade_no} 收到 {amount} {token}（{chain}），已计入您的余额，但不计入该订单的应付金额。',
    },
  },
  payment_chain_failure: {
    en: {
      title: 'Payment not confirmed',
      content: 'A deposit for order {out_trade_no} left {chain} before it was final. Nothing was credited.',
    },
    'zh-CN': { title: '链上确认失败', content: '订单 {out_trade_no} 的转账在最终确认前被 {chain} 撤销，未入账。' },
  },
  payment_error: {
    en: {
      title: 'Payment needs attention',
      content: 'A credited deposit of order {out_trade_no} left {chain}. The operator is looking into it.',
    },
    'zh-CN': { title: '订单异常', content: '订单 {out_trade_no} 已入账的转账被 {chain} 撤销，运营方正在处理。' },
  },
  recharge_credited: {
    en: { title: 'Recharge received', content: '{amount} {token} on {chain} came in at your fixed address.' },
    'zh-CN': { title: '充值到账', content: '您的固定地址已收到 {amount} {token}（{chain}）。' },
  },
  callback_given_up: {
    en: {
      title: 'Callback given up',
      content:
        '{event} of order {trade_no} was not confirmed by {url} within three days and is not sent again. You can resend it by hand.',
    },
    'zh-CN': {
      title: '回调已停止重试',
      content: '订单 {trade_no} 的 {event} 在三天内未获 {url} 确认，不再自动发送，可手动重发。',
    },
  },
  fund_aggregation: {
    en: {
      title: 'Fund aggregation',
      content: 'Bringing your deposits on {chain} together cost {amount} {token} of gas.',
    },
    'zh-CN': { title: '资金归集', content: '归集您在 {chain} 上的充值，消耗矿工费 {amount} {token}。' },
  },
  chain_halted: {
    en: {
      title: '{chain} is on hold',
      content:
        'The {chain} network took back blocks that were final. Deposits on it wait until we have looked; its payments do not time out.',
    },
    'zh-CN': {
      title: '{chain} 暂停处理',
      content: '{chain} 网络撤回了已确认的区块。在我们核查期间，该网络的充值暂缓入账，相关订单不会超时。',
    },
  },
  chain_resumed: {
    en: { title: '{chain} is back', content: 'Deposits on {chain} are credited again.' },
    'zh-CN': { title: '{chain} 已恢复', content: '{chain} 网络的充值已恢复入账。' },
  },
  announcement: {
    en: { title: '{title_en}', content: '{content_en}' },
    'zh-CN': { title: '{title_zh}', content: '{content_zh}' },
  },
} as const satisfies Record<string, Record<Language, { title: string; content: string }>>

export type MessageKey = keyof typeof messages

/**
 * The title and content of a notification in the reader's language. A parameter that is missing stays empty; a key that
 * this version does not know is shown as it is.
 */
export function renderMessage(key: string, params: Record<string, string>, language: Language) {
  const texts = key in messages ? messages[key as MessageKey] : undefined
  const { title, content } = texts?.[language] ?? { title: key, content: '' }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  return { title: fill(title), content: fill(content) }
}
