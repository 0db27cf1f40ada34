import type { Language } from '@coffer/contract'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { accountMessages } from './account-messages.ts'

interface Text {
  title: string
  content: string
}

/**
 * The texts of notifications, by the stored key. `{name}` stands for a parameter of the notification, `{order}` for the
 * number that a shop knows an order by, `{worth}`, `{to}` and `{own}` for what some have (render-message.ts).
 * `account_` prefixes the events of an account. What has an amount begins with it: lists cut what comes later.
 */
export const notificationMessages = {
  ...accountMessages,
  channel_refused: {
    en: { title: 'A chat or system takes no messages', content: '{name}: {advice}' },
    'zh-CN': { title: '消息接收渠道已停用', content: '{name}：{advice}' },
  },
  announcement_withdrawn: {
    en: { title: 'Announcement withdrawn', content: 'The operator has withdrawn this announcement.' },
    'zh-CN': { title: '公告已撤回', content: '运营方已撤回该公告。' },
  },
  work_order_answered: {
    en: { title: 'Work order answered', content: '{work_order}: {theme}' },
    'zh-CN': { title: '工单已回复', content: '{work_order}：{theme}' },
  },
  work_order_documents: {
    en: { title: 'Documents needed', content: '{work_order}: {theme}. Answer the work order with text and pictures.' },
    'zh-CN': { title: '请补充资料', content: '{work_order}：{theme}。请在工单中回复文字并上传图片。' },
  },
  work_order_closed: {
    en: { title: 'Work order closed', content: '{work_order}: {theme}. You can reopen it within 7 days.' },
    'zh-CN': { title: '工单已关闭', content: '{work_order}：{theme}。7 天内可重新打开。' },
  },
  work_order_reopened: {
    en: { title: 'Work order reopened', content: '{work_order}: {theme}. The operator is looking into it again.' },
    'zh-CN': { title: '工单已重新打开', content: '{work_order}：{theme}。运营方将继续处理。' },
  },
  payment_paid: {
    en: { title: 'Payment received', content: '{amount} {token} on {chain} for order {order}{worth}.' },
    'zh-CN': { title: '收款成功', content: '{amount} {token}（{chain}）已到账，订单 {order}{worth}。' },
  },
  payment_partial: {
    en: { title: 'Partial payment', content: '{amount} of {asked} {token} on {chain} has arrived for order {order}.' },
    'zh-CN': { title: '部分支付', content: '{amount} {token}（{chain}）已到账，订单 {order} 应付 {asked} {token}。' },
  },
  payment_over: {
    en: {
      title: 'Overpaid',
      content: '{amount} {token} on {chain} for order {order}; {asked} {token} was due. You can refund the surplus.',
    },
    'zh-CN': {
      title: '超额支付',
      content: '{amount} {token}（{chain}）已到账，订单 {order} 应付 {asked} {token}。多付部分可退款。',
    },
  },
  payment_late: {
    en: {
      title: 'Late payment',
      content:
        '{amount} {token} on {chain} in total for order {order}, paid after it had ended. The money was credited to you.',
    },
    'zh-CN': {
      title: '逾期到账',
      content: '{amount} {token}（{chain}）累计到账，订单 {order} 在结束后收到付款，款项已计入您的余额。',
    },
  },
  payment_not_counted: {
    en: {
      title: 'Deposit not counted',
      content: '{amount} {token} on {chain} for order {order} is credited to you but does not count towards it.',
    },
    'zh-CN': {
      title: '收到未计入订单的款项',
      content: '{amount} {token}（{chain}）已计入您的余额，但不计入订单 {order} 的应付金额。',
    },
  },
  payment_chain_failure: {
    en: {
      title: 'Chain confirmation failure',
      content: 'A deposit for order {order} was dropped by {chain} before it was final. Nothing was credited.',
    },
    'zh-CN': { title: '链上确认失败', content: '订单 {order} 的转账在最终确认前被 {chain} 网络撤销，未入账。' },
  },
  payment_error: {
    en: {
      title: 'Payment under review',
      content: '{chain} reversed a credited deposit of order {order}. The operator is looking into it.',
    },
    'zh-CN': { title: '订单异常', content: '订单 {order} 已入账的转账被 {chain} 网络撤销，运营方正在处理。' },
  },
  refund_claimed: {
    en: {
      title: 'Refund claimed',
      content:
        '{amount} {token} of order {order}: the payer claimed it by the link. Until it is sent you can cancel it.',
    },
    'zh-CN': {
      title: '退款已被领取',
      content: '{amount} {token}：订单 {order} 的付款人已通过链接领取，转出前您可以取消。',
    },
  },
  refund_short: {
    en: {
      title: 'A payer cannot claim a refund',
      content: 'The refund of order {order} cannot be paid: {reason}. The payer can try again later.',
    },
    'zh-CN': { title: '付款人无法领取退款', content: '订单 {order} 的退款暂时无法支付：{reason}。付款人可稍后重试。' },
  },
  refund_link_expired: {
    en: { title: 'Refund link expired', content: 'Nobody claimed the refund of order {order} within 30 days.' },
    'zh-CN': { title: '退款链接已过期', content: '订单 {order} 的退款在 30 天内无人领取。' },
  },
  refund_accomplished: {
    en: { title: 'Refunded', content: '{amount} {token} of order {order} were sent back and are final.' },
    'zh-CN': { title: '退款成功', content: '{amount} {token} 已退回，订单 {order}，链上已最终确认。' },
  },
  refund_abnormal: {
    en: {
      title: 'Refund needs attention',
      content: '{amount} {token} of order {order} could not be refunded: {reason}. The amount stays reserved.',
    },
    'zh-CN': { title: '退款异常', content: '{amount} {token} 退款失败（订单 {order}）：{reason}。相关金额仍被冻结。' },
  },
  refund_returned: {
    en: {
      title: 'Refund returned',
      content: '{amount} {token} of order {order} were not sent back. The amount is available again.',
    },
    'zh-CN': { title: '退款已撤回', content: '{amount} {token} 的退款未发出（订单 {order}），相关金额已恢复可用。' },
  },
  recharge_credited: {
    en: { title: 'Recharge received', content: '{amount} {token} on {chain} arrived at your fixed address.' },
    'zh-CN': { title: '充值到账', content: '{amount} {token}（{chain}）已充值到您的固定地址。' },
  },
  deposit_returned: {
    en: {
      title: 'Deposit returned',
      content: '{amount} {token} on {chain}, which is not accepted, is being returned to its sender.',
    },
    'zh-CN': { title: '充值退回', content: '{amount} {token}（{chain}）不在受理范围内，正退回付款地址。' },
  },
  recharge_reversed: {
    en: { title: 'Recharge reversed', content: '{amount} {token} left your balance: {chain} reversed the deposit.' },
    'zh-CN': { title: '充值已撤销', content: '{amount} {token} 已从您的余额中扣除：{chain} 网络撤销了该笔充值。' },
  },
  transfer_sent: {
    en: { title: 'Transfer sent', content: '{amount} {token} on {chain} to {name}.' },
    'zh-CN': { title: '划转成功', content: '{amount} {token}（{chain}）已划转给 {name}。' },
  },
  transfer_received: {
    en: { title: 'Transfer received', content: '{amount} {token} on {chain} from {name}.' },
    'zh-CN': { title: '收到划转', content: '{amount} {token}（{chain}），来自 {name}。' },
  },
  withdrawal_waits: {
    en: {
      title: 'A withdrawal waits for approval',
      content: '{amount} {token} on {chain}{to}{own}. Those who may decide find it under Waits for you.',
    },
    'zh-CN': {
      title: '有提现待复核',
      content: '{amount} {token}（{chain}）{to}{own}，有权复核的成员可在“待我复核”中处理。',
    },
  },
  withdrawal_approved: {
    en: { title: 'Withdrawal approved', content: '{amount} {token} on {chain}{to}{own} were approved by {by}.' },
    'zh-CN': { title: '提现复核通过', content: '{amount} {token}（{chain}）{to}{own}，复核人：{by}。' },
  },
  withdrawal_accomplished: {
    en: { title: 'Withdrawal accomplished', content: '{amount} {token} on {chain} were withdrawn{to}{own}.' },
    'zh-CN': { title: '提现成功', content: '{amount} {token}（{chain}）已提现{to}{own}。' },
  },
  withdrawal_rejected: {
    en: {
      title: 'Withdrawal rejected',
      content: '{amount} {token}{to}{own}: {reason}. The amount is available again.',
    },
    'zh-CN': { title: '提现审核拒绝', content: '{amount} {token}{to}{own}：{reason}。金额已退回可用余额。' },
  },
  withdrawal_returned: {
    en: {
      title: 'Withdrawal canceled',
      content: '{amount} {token}{to}{own} was not sent. The amount is available again.',
    },
    'zh-CN': { title: '提现已取消', content: '{amount} {token}{to}{own}未发送，金额已退回可用余额。' },
  },
  withdrawal_abnormal: {
    en: {
      title: 'Withdrawal under review',
      content: '{amount} {token}{to}{own} did not go through. The operator is looking into it.',
    },
    'zh-CN': { title: '提现异常', content: '{amount} {token}{to}{own}未能完成，运营方正在处理。' },
  },
  callback_given_up: {
    en: {
      title: 'Callback timeout',
      content:
        '{url} did not confirm {event} of order {order} within three days. Retries have stopped; you can resend it manually.',
    },
    'zh-CN': {
      title: '回调超时',
      content: '订单 {order} 的 {event} 回调在三天内未获 {url} 确认，已停止自动重试，可手动重新发送。',
    },
  },
  callback_withheld: {
    en: {
      title: 'Callback not sent',
      content:
        '{event} of order {order} was not sent: it says that the order is paid, and money of it went back or it was marked as invalid. Once the order is paid in full again, it can be sent again.',
    },
    'zh-CN': {
      title: '回调未发送',
      content:
        '订单 {order} 的 {event} 回调未发送：该回调表示订单已支付，而订单已有款项退回或被标记为无效。订单重新全额付清后可再次发送。',
    },
  },
  callback_page_answered: {
    en: {
      title: 'A web page answered a callback',
      content:
        '{url} answered {event} with a web page, such as the check or the login of a proxy, so your shop was not notified. Let calls with the User-Agent Coffer-Callback/1 pass; it is retried automatically.',
    },
    'zh-CN': {
      title: '回调被网页拦截',
      content:
        '{url} 对 {event} 回调返回了网页（例如防护验证页或登录页），店铺未收到通知。请放行 User-Agent 为 Coffer-Callback/1 的请求；系统会自动重试。',
    },
  },
  deposit_callback_given_up: {
    en: {
      title: 'Callback timeout',
      content: '{url} did not confirm {event} within three days. Retries have stopped; you can resend it manually.',
    },
    'zh-CN': {
      title: '回调超时',
      content: '{event} 回调在三天内未获 {url} 确认，已停止自动重试，可手动重新发送。',
    },
  },
  fund_aggregation: {
    en: { title: 'Fund aggregation', content: '{amount} {token} of gas to aggregate your deposits on {chain}.' },
    'zh-CN': { title: '资金归集', content: '{amount} {token} 矿工费，用于归集您在 {chain} 网络的资金。' },
  },
  chain_halted: {
    en: {
      title: '{chain} is on hold',
      content:
        'The {chain} network reversed blocks that were final. Deposits on it are on hold while we investigate; its payments do not time out.',
    },
    'zh-CN': {
      title: '{chain} 暂停处理',
      content: '{chain} 网络撤销了已最终确认的区块。核查期间，该网络的充值暂缓入账，相关订单不会超时。',
    },
  },
  chain_resumed: {
    en: { title: '{chain} has resumed', content: 'Deposits on {chain} are credited again.' },
    'zh-CN': { title: '{chain} 已恢复', content: '{chain} 网络的充值已恢复入账。' },
  },
  announcement: {
    en: { title: '{title_en}', content: '{content_en}' },
    'zh-CN': { title: '{title_zh}', content: '{content_zh}' },
  },
} as const satisfies Record<ListedEvent, Record<Language, Text>>
