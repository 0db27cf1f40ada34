import type { Language } from '@coffer/contract'

/**
 * The texts of notifications, by the stored key. `{name}` stands for a parameter of the notification. `account_` prefixes
 * the events of an account.
 */
export const messages = {
  account_login: {
    en: { title: 'New sign-in', content: 'If this was not you, change your password and end all other sessions.' },
    'zh-CN': { title: '登录提醒', content: '如非本人操作，请立即修改密码，并退出其他所有设备。' },
  },
  account_new_device: {
    en: {
      title: 'New device',
      content: 'If this was not you, report it under Account security: that ends all sessions and holds withdrawals.',
    },
    'zh-CN': { title: '新设备登录', content: '如非本人操作，请在“账号与安全”中报告，系统将退出所有设备并暂停提现。' },
  },
  account_not_me: {
    en: {
      title: 'Foreign sign-in reported',
      content: 'All sessions have ended, and withdrawals are held until the operator lifts it.',
    },
    'zh-CN': { title: '已报告非本人登录', content: '所有设备均已退出，提现已暂停，须由运营方解除。' },
  },
  account_password_guessed: {
    en: {
      title: 'Wrong passwords',
      content: 'Someone entered many wrong passwords for your account. Devices that signed in before are not affected.',
    },
    'zh-CN': { title: '密码多次输入错误', content: '有人多次输入错误密码尝试登录您的账号，已登录过的设备不受影响。' },
  },
  account_password_changed: {
    en: { title: 'Password changed', content: 'Your password was changed. All other sessions have ended.' },
    'zh-CN': { title: '密码已修改', content: '您的密码已修改，其他设备均已退出登录。' },
  },
  account_password_reset: {
    en: {
      title: 'Password reset',
      content: 'Your password was reset with a code sent to your email. Withdrawals are held for a while.',
    },
    'zh-CN': { title: '密码已重置', content: '您的密码已通过邮箱验证码重置，提现将暂停一段时间。' },
  },
  account_authenticator_bound: {
    en: { title: 'Authenticator bound', content: 'Sign-ins and sensitive actions now require its code.' },
    'zh-CN': { title: '已绑定身份验证器', content: '今后登录和敏感操作须输入身份验证器的验证码。' },
  },
  account_authenticator_removed: {
    en: { title: 'Authenticator removed', content: 'The operator removed the authenticator from your account.' },
    'zh-CN': { title: '已解绑身份验证器', content: '运营方已解绑您账号的身份验证器。' },
  },
  account_mailbox_changed: {
    en: { title: 'Email changed', content: 'The email of your account was changed.' },
    'zh-CN': { title: '邮箱已更换', content: '您的账号已更换邮箱。' },
  },
  account_phone_bound: {
    en: { title: 'Phone bound', content: 'A phone was bound to your account.' },
    'zh-CN': { title: '已绑定手机', content: '您的账号已绑定手机。' },
  },
  account_sign_in_linked: {
    en: { title: 'Sign-in linked', content: 'A third-party sign-in with your email was linked to your account.' },
    'zh-CN': { title: '已关联第三方登录', content: '使用您邮箱的第三方登录已关联到您的账号。' },
  },
  account_push_added: {
    en: { title: 'Payment notifications on', content: 'A device now shows each payment received: {name}.' },
    'zh-CN': { title: '已开启到账推送', content: '有设备开启了到账推送：{name}。' },
  },
  account_transfer_receiver_added: {
    en: {
      title: 'New receiver of transfers',
      content:
        'Transfers to merchant {receiver} are possible in {hours} h. If this was not you, report it in the security settings.',
    },
    'zh-CN': {
      title: '新增划转收款方',
      content: '{hours} 小时后可向商户 {receiver} 划转。如非本人操作，请在安全设置中报告。',
    },
  },
  account_payouts_allowed: {
    en: {
      title: 'Payouts by an application allowed',
      content:
        'The key of application {appid} may now request withdrawals and refunds, from its listed IP addresses only.',
    },
    'zh-CN': {
      title: '已允许应用发起付款',
      content: '应用 {appid} 的密钥现可发起提现和退款，仅限白名单中的 IP。',
    },
  },
  account_secret_key_renewed: {
    en: {
      title: 'Secret key renewed',
      content: 'Application {appid} has a new secret key. The old key no longer works.',
    },
    'zh-CN': { title: '密钥已更新', content: '应用 {appid} 已启用新密钥，旧密钥已失效。' },
  },
  account_webhook_secret_renewed: {
    en: { title: 'Webhook secret renewed', content: 'Callbacks of application {appid} are signed with a new secret.' },
    'zh-CN': { title: '回调签名密钥已更新', content: '应用 {appid} 的回调已改用新的签名密钥。' },
  },
  account_notify_url_changed: {
    en: { title: 'Notify URL changed', content: 'Callbacks of application {appid} are sent to a new address.' },
    'zh-CN': { title: '回调地址已修改', content: '应用 {appid} 的回调地址已修改。' },
  },
  account_rates_changed: {
    en: { title: 'Rates changed', content: 'New orders of application {appid} are priced by new rates.' },
    'zh-CN': { title: '应用汇率已修改', content: '应用 {appid} 的新订单将按修改后的汇率计价。' },
  },
  account_webhook_endpoint_changed: {
    en: {
      title: 'Webhook endpoint changed',
      content: 'A webhook endpoint of application {appid} was added, changed or removed: {url}',
    },
    'zh-CN': { title: 'Webhook 端点已变更', content: '应用 {appid} 的 Webhook 端点已新增、修改或移除：{url}' },
  },
  account_approved: {
    en: { title: 'Merchant permission open', content: 'Your request was approved. You can now create applications.' },
    'zh-CN': { title: '商户权限已开通', content: '您的申请已通过审核，现在可以创建应用。' },
  },
  account_advanced: {
    en: { title: 'Advanced audit', content: 'Your request passed the primary audit and is now in the advanced audit.' },
    'zh-CN': { title: '进入高级审核', content: '您的申请已通过初级审核，正在进行高级审核。' },
  },
  account_refused: {
    en: { title: 'Failed audit', content: 'Your request for merchant permission was not approved: {reason}' },
    'zh-CN': { title: '审核未通过', content: '您的商户权限申请未通过审核：{reason}' },
  },
  account_frozen: {
    en: { title: 'Account frozen', content: 'The operator froze your account.' },
    'zh-CN': { title: '账号已冻结', content: '运营方已冻结您的账号。' },
  },
  account_unfrozen: {
    en: { title: 'Account unfrozen', content: 'The operator unfroze your account.' },
    'zh-CN': { title: '账号已解冻', content: '运营方已解冻您的账号。' },
  },
  account_fees_changed: {
    en: {
      title: 'Fees changed',
      content: 'Your fees are now {payments} of each payment and {withdrawals} of each withdrawal.',
    },
    'zh-CN': { title: '费率已调整', content: '您的费率已调整：收款手续费 {payments}，提现手续费 {withdrawals}。' },
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
    en: { title: 'Payment received', content: 'Order {out_trade_no}{worth} was paid: {amount} {token} on {chain}.' },
    'zh-CN': { title: '收款成功', content: '订单 {out_trade_no}{worth}已支付：{amount} {token}（{chain}）。' },
  },
  payment_partial: {
    en: {
      title: 'Partial payment',
      content: 'Order {out_trade_no} has received {amount} of {asked} {token} on {chain}.',
    },
    'zh-CN': {
      title: '部分支付',
      content: '订单 {out_trade_no} 应付 {asked} {token}，已收到 {amount} {token}（{chain}）。',
    },
  },
  payment_over: {
    en: {
      title: 'Overpaid',
      content:
        'Order {out_trade_no} received {amount} {token} on {chain}; {asked} {token} was due. You can refund the surplus.',
    },
    'zh-CN': {
      title: '超额支付',
      content: '订单 {out_trade_no} 应付 {asked} {token}，实收 {amount} {token}（{chain}）。多付部分可退款。',
    },
  },
  payment_late: {
    en: {
      title: 'Late payment',
      content:
        'Order {out_trade_no} was paid after it had ended. The money was credited to you: {amount} {token} on {chain} in total.',
    },
    'zh-CN': {
      title: '逾期到账',
      content: '订单 {out_trade_no} 结束后仍收到付款，已计入您的余额：累计 {amount} {token}（{chain}）。',
    },
  },
  payment_not_counted: {
    en: {
      title: 'Deposit not counted',
      content: '{amount} {token} on {chain} for order {out_trade_no} is credited to you but does not count for it.',
    },
    'zh-CN': {
      title: '收到未计入订单的款项',
      content: '订单 {out_trade_no} 收到 {amount} {token}（{chain}），已计入您的余额，但不计入该订单的应付金额。',
    },
  },
  payment_chain_failure: {
    en: {
      title: 'Chain confirmation failure',
      content: 'A deposit for order {out_trade_no} was dropped by {chain} before it was final. Nothing was credited.',
    },
    'zh-CN': { title: '链上确认失败', content: '订单 {out_trade_no} 的转账在最终确认前被 {chain} 网络撤销，未入账。' },
  },
  payment_error: {
    en: {
      title: 'Payment under review',
      content: '{chain} reversed a credited deposit of order {out_trade_no}. The operator is looking into it.',
    },
    'zh-CN': { title: '订单异常', content: '订单 {out_trade_no} 已入账的转账被 {chain} 网络撤销，运营方正在处理。' },
  },
  refund_claimed: {
    en: {
      title: 'Refund claimed',
      content:
        'The payer of order {trade_no} claimed {amount} {token} by the link. Until it is sent you can cancel it.',
    },
    'zh-CN': {
      title: '退款已被领取',
      content: '订单 {trade_no} 的付款人已通过链接领取 {amount} {token}，转出前您可以取消。',
    },
  },
  refund_short: {
    en: {
      title: 'A payer cannot claim a refund',
      content: 'The refund of order {trade_no} cannot be paid: {reason}. The payer can try again later.',
    },
    'zh-CN': {
      title: '付款人无法领取退款',
      content: '订单 {trade_no} 的退款暂时无法支付：{reason}。付款人可稍后重试。',
    },
  },
  refund_link_expired: {
    en: { title: 'Refund link expired', content: 'Nobody claimed the refund of order {trade_no} within 30 days.' },
    'zh-CN': { title: '退款链接已过期', content: '订单 {trade_no} 的退款在 30 天内无人领取。' },
  },
  refund_accomplished: {
    en: { title: 'Refunded', content: '{amount} {token} of order {trade_no} were sent back and are final.' },
    'zh-CN': { title: '退款成功', content: '订单 {trade_no} 已退回 {amount} {token}，链上已最终确认。' },
  },
  refund_abnormal: {
    en: {
      title: 'Refund needs attention',
      content: 'The refund of order {trade_no} failed: {reason}. Its amount stays on hold.',
    },
    'zh-CN': { title: '退款异常', content: '订单 {trade_no} 的退款失败：{reason}。相关金额仍被冻结。' },
  },
  refund_returned: {
    en: {
      title: 'Refund returned',
      content: 'The refund of order {trade_no} was not sent. Its amount is available again.',
    },
    'zh-CN': { title: '退款已撤回', content: '订单 {trade_no} 的退款未发出，相关金额已恢复可用。' },
  },
  recharge_credited: {
    en: { title: 'Recharge received', content: 'Your fixed address received {amount} {token} on {chain}.' },
    'zh-CN': { title: '充值到账', content: '您的固定地址已收到 {amount} {token}（{chain}）。' },
  },
  deposit_returned: {
    en: {
      title: 'Deposit returned',
      content: '{amount} {token} on {chain}, which is not accepted, is being returned to its sender.',
    },
    'zh-CN': { title: '充值退回', content: '收到的 {amount} {token}（{chain}）不在受理范围内，正退回付款地址。' },
  },
  recharge_reversed: {
    en: { title: 'Recharge reversed', content: '{chain} took back {amount} {token}, which left your balance.' },
    'zh-CN': { title: '充值已撤销', content: '{chain} 网络撤销了一笔 {amount} {token} 的充值，已从您的余额中扣除。' },
  },
  transfer_sent: {
    en: { title: 'Transfer sent', content: 'You transferred {amount} {token} on {chain} to {name}.' },
    'zh-CN': { title: '划转成功', content: '您已向 {name} 划转 {amount} {token}（{chain}）。' },
  },
  transfer_received: {
    en: { title: 'Transfer received', content: '{name} transferred {amount} {token} on {chain} to you.' },
    'zh-CN': { title: '收到划转', content: '{name} 向您划转了 {amount} {token}（{chain}）。' },
  },
  withdrawal_accomplished: {
    en: { title: 'Withdrawal accomplished', content: '{amount} {token} on {chain} were withdrawn (number {id}).' },
    'zh-CN': { title: '提现成功', content: '您提现的 {amount} {token}（{chain}）已完成，提现单号 {id}。' },
  },
  withdrawal_rejected: {
    en: {
      title: 'Withdrawal rejected',
      content: 'The withdrawal {id} of {amount} {token} was rejected: {reason}. The amount is available again.',
    },
    'zh-CN': {
      title: '提现审核拒绝',
      content: '提现单 {id}（{amount} {token}）未通过审核：{reason}。金额已退回可用余额。',
    },
  },
  withdrawal_returned: {
    en: {
      title: 'Withdrawal canceled',
      content: 'The withdrawal {id} of {amount} {token} was not sent. The amount is available again.',
    },
    'zh-CN': { title: '提现已取消', content: '提现单 {id}（{amount} {token}）未发送，金额已退回可用余额。' },
  },
  withdrawal_abnormal: {
    en: {
      title: 'Withdrawal under review',
      content: 'The withdrawal {id} of {amount} {token} did not go through. The operator is looking into it.',
    },
    'zh-CN': { title: '提现异常', content: '提现单 {id}（{amount} {token}）未能完成，运营方正在处理。' },
  },
  callback_given_up: {
    en: {
      title: 'Callback timeout',
      content:
        '{url} did not confirm {event} of order {trade_no} within three days. Retries have stopped; you can resend it manually.',
    },
    'zh-CN': {
      title: '回调超时',
      content: '订单 {trade_no} 的 {event} 回调在三天内未获 {url} 确认，已停止自动重试，可手动重新发送。',
    },
  },
  callback_page_answered: {
    en: {
      title: 'A web page answered a callback',
      content:
        '{url} answered {event} with a web page, such as the check or the login of a proxy, so your shop was not told. Let calls with the User-Agent Coffer-Callback/1 pass; it is tried again by itself.',
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
    en: {
      title: 'Fund aggregation',
      content: 'Aggregating your deposits on {chain} cost {amount} {token} in gas.',
    },
    'zh-CN': { title: '资金归集', content: '归集您在 {chain} 网络的资金，消耗矿工费 {amount} {token}。' },
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
} as const satisfies Record<string, Record<Language, { title: string; content: string }>>

export type MessageKey = keyof typeof messages
