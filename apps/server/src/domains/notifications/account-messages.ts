import type { Language } from '@coffer/contract'
import type { ListedEvent } from '@coffer/contract/events.ts'

/** The texts of notifications about an account, in the form of those about payments (messages.ts). */
export const accountMessages = {
  account_login: {
    en: { title: 'New sign-in', content: 'If this was not you, change your password and end all other sessions.' },
    'zh-CN': { title: '登录提醒', content: '如非本人操作，请立即修改密码，并退出其他所有设备。' },
  },
  account_new_device: {
    en: {
      title: 'New device',
      content:
        'If this was not you, report it under Account security: that ends all sessions and puts withdrawals on hold.',
    },
    'zh-CN': { title: '新设备登录', content: '如非本人操作，请在“账号与安全”中报告，系统将退出所有设备并暂停提现。' },
  },
  account_not_me: {
    en: {
      title: 'Suspicious sign-in reported',
      content: 'All sessions have ended, and withdrawals are on hold until the operator lifts it.',
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
      content: 'Your password was reset with a code sent to your email. Withdrawals are on hold for a while.',
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
  account_channel_added: {
    en: { title: 'Messages to a chat or system on', content: '{name} now gets what you are told of.' },
    'zh-CN': { title: '已添加消息接收渠道', content: '{name} 现在会收到发送给您的消息。' },
  },
  account_transfer_receiver_added: {
    en: {
      title: 'New recipient of transfers',
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
  account_members_allowed: {
    en: {
      title: 'Changes of people by an application allowed',
      content:
        'The key of application {appid} may now list, invite and remove people of the shop, from its listed IP addresses only.',
    },
    'zh-CN': {
      title: '已允许应用管理成员',
      content: '应用 {appid} 的密钥现可查询、邀请和移除商户成员，仅限白名单中的 IP。',
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
} as const satisfies Partial<Record<ListedEvent, Record<Language, { title: string; content: string }>>>
