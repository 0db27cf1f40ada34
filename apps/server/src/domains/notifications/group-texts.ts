import type { GroupedEvent } from '@coffer/contract/events.ts'
import type { Language } from '@coffer/contract/languages.ts'

/**
 * How many there are of a kind, in a message about several events. `{n}` stands for the number, `{s}` for the ending of
 * an English plural.
 */
export const groupTexts: Record<GroupedEvent, Record<Language, string>> = {
  payment_paid: { en: '{n} payment{s}', 'zh-CN': '{n} 笔收款' },
  payment_partial: { en: '{n} partial payment{s}', 'zh-CN': '{n} 笔部分支付' },
  payment_over: { en: '{n} overpaid order{s}', 'zh-CN': '{n} 笔超额支付' },
  payment_late: { en: '{n} late payment{s}', 'zh-CN': '{n} 笔逾期到账' },
  payment_not_counted: { en: '{n} deposit{s} not counted', 'zh-CN': '{n} 笔未计入订单的款项' },
  payment_chain_failure: { en: '{n} chain confirmation failure{s}', 'zh-CN': '{n} 笔链上确认失败' },
  payment_error: { en: '{n} payment{s} under review', 'zh-CN': '{n} 笔订单异常' },
  refund_claimed: { en: '{n} refund{s} claimed', 'zh-CN': '{n} 笔退款已被领取' },
  refund_short: { en: '{n} refund{s} that the payer cannot claim', 'zh-CN': '{n} 笔退款无法领取' },
  refund_link_expired: { en: '{n} expired refund link{s}', 'zh-CN': '{n} 个退款链接已过期' },
  refund_accomplished: { en: '{n} refund{s} sent', 'zh-CN': '{n} 笔退款成功' },
  refund_abnormal: { en: '{n} refund{s} that need attention', 'zh-CN': '{n} 笔退款异常' },
  refund_returned: { en: '{n} refund{s} returned', 'zh-CN': '{n} 笔退款已撤回' },
  recharge_credited: { en: '{n} recharge{s}', 'zh-CN': '{n} 笔充值到账' },
  recharge_reversed: { en: '{n} recharge{s} reversed', 'zh-CN': '{n} 笔充值已撤销' },
  deposit_returned: { en: '{n} deposit{s} returned', 'zh-CN': '{n} 笔充值退回' },
  transfer_sent: { en: '{n} transfer{s} sent', 'zh-CN': '{n} 笔划转成功' },
  transfer_received: { en: '{n} transfer{s} received', 'zh-CN': '收到 {n} 笔划转' },
  withdrawal_waits: { en: '{n} withdrawal{s} to approve', 'zh-CN': '{n} 笔提现待复核' },
  withdrawal_approved: { en: '{n} withdrawal{s} approved', 'zh-CN': '{n} 笔提现复核通过' },
  withdrawal_accomplished: { en: '{n} withdrawal{s}', 'zh-CN': '{n} 笔提现成功' },
  withdrawal_rejected: { en: '{n} withdrawal{s} rejected', 'zh-CN': '{n} 笔提现审核拒绝' },
  withdrawal_returned: { en: '{n} withdrawal{s} canceled', 'zh-CN': '{n} 笔提现已取消' },
  withdrawal_abnormal: { en: '{n} withdrawal{s} under review', 'zh-CN': '{n} 笔提现异常' },
  callback_given_up: { en: '{n} callback timeout{s}', 'zh-CN': '{n} 个回调超时' },
  callback_withheld: { en: '{n} callback{s} not sent', 'zh-CN': '{n} 个回调未发送' },
  callback_page_answered: { en: '{n} callback{s} answered by a web page', 'zh-CN': '{n} 个回调被网页拦截' },
  deposit_callback_given_up: { en: '{n} callback timeout{s} of deposits', 'zh-CN': '{n} 个充值回调超时' },
  fund_aggregation: { en: '{n} fund aggregation{s}', 'zh-CN': '{n} 次资金归集' },
  work_order_answered: { en: '{n} work order{s} answered', 'zh-CN': '{n} 个工单已回复' },
  work_order_documents: { en: '{n} request{s} for documents', 'zh-CN': '{n} 个工单待补充资料' },
  work_order_closed: { en: '{n} work order{s} closed', 'zh-CN': '{n} 个工单已关闭' },
  work_order_reopened: { en: '{n} work order{s} reopened', 'zh-CN': '{n} 个工单已重新打开' },
  announcement: { en: '{n} announcement{s}', 'zh-CN': '{n} 条公告' },
  announcement_withdrawn: { en: '{n} announcement{s} withdrawn', 'zh-CN': '{n} 条公告已撤回' },
  chain_halted: { en: '{n} network{s} on hold', 'zh-CN': '{n} 个网络暂停处理' },
  chain_resumed: { en: '{n} network{s} resumed', 'zh-CN': '{n} 个网络已恢复' },
  account_login: { en: '{n} sign-in{s}', 'zh-CN': '{n} 次登录' },
  account_fees_changed: { en: '{n} change{s} of fees', 'zh-CN': '{n} 次费率调整' },
  account_approved: { en: '{n} approval{s} of the shop', 'zh-CN': '{n} 次商户权限开通' },
  account_advanced: { en: '{n} advanced audit{s}', 'zh-CN': '{n} 次进入高级审核' },
}

/** Says how many messages are not named. */
export const moreTexts: Record<Language, (count: number) => string> = {
  en: count => `and ${count} more`,
  'zh-CN': count => `另有 ${count} 条`,
}
