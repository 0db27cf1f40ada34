import type { Language } from '@coffer/contract'

/** The texts of notifications about the account itself: `account_` and the event of the account log. */
export const accountMessages = {
  account_login: {
    en: { title: 'New sign-in', content: 'If it was not you, change your password and end all other sessions.' },
    'zh-CN': { title: '登录提醒', content: '如非本人操作，请立即修改密码并退出其他会话。' },
  },
  account_password_changed: {
    en: { title: 'Password changed', content: 'Your password was changed. All other sessions have ended.' },
    'zh-CN': { title: '密码已修改', content: '您的密码已修改，其他会话均已退出。' },
  },
  account_password_reset: {
    en: { title: 'New password', content: 'A new password was chosen with a code sent to your mailbox.' },
    'zh-CN': { title: '密码已重设', content: '已通过邮箱验证码重设密码。' },
  },
  account_authenticator_bound: {
    en: { title: 'Authenticator bound', content: 'Your authenticator now confirms sign-ins and actions.' },
    'zh-CN': { title: '已绑定身份验证器', content: '登录和操作现由您的身份验证器确认。' },
  },
  account_authenticator_removed: {
    en: { title: 'Authenticator removed', content: 'The operator removed the authenticator from your account.' },
    'zh-CN': { title: '已解绑身份验证器', content: '运营方已解绑您账号的身份验证器。' },
  },
  account_mailbox_changed: {
    en: { title: 'Mailbox changed', content: 'Your account moved to another mailbox.' },
    'zh-CN': { title: '邮箱已更换', content: '您的账号已更换邮箱。' },
  },
  account_phone_bound: {
    en: { title: 'Mobile phone bound', content: 'A mobile phone was bound to your account.' },
    'zh-CN': { title: '已绑定手机', content: '您的账号已绑定手机。' },
  },
  account_sign_in_linked: {
    en: { title: 'Sign-in linked', content: 'A third-party sign-in with your mailbox was linked to your account.' },
    'zh-CN': { title: '已关联第三方登录', content: '使用您邮箱的第三方登录已关联到您的账号。' },
  },
  account_secret_key_renewed: {
    en: { title: 'Secret key renewed', content: 'Application {appid} has a new secret key. The old one has stopped.' },
    'zh-CN': { title: '密钥已更新', content: '应用 {appid} 已启用新密钥，旧密钥已失效。' },
  },
  account_webhook_secret_renewed: {
    en: { title: 'Webhook secret renewed', content: 'Callbacks of application {appid} are signed with a new secret.' },
    'zh-CN': { title: '回调签名密钥已更新', content: '应用 {appid} 的回调已改用新的签名密钥。' },
  },
  account_notify_url_changed: {
    en: { title: 'Callback address changed', content: 'Callbacks of application {appid} go to another address.' },
    'zh-CN': { title: '回调地址已修改', content: '应用 {appid} 的回调地址已修改。' },
  },
  account_approved: {
    en: { title: 'Merchant account open', content: 'Your merchant account is open. You can create applications now.' },
    'zh-CN': { title: '商户账号已开通', content: '您的商户账号已开通，现在可以创建应用。' },
  },
  account_advanced: {
    en: { title: 'Advanced audit', content: 'Your account passed the primary audit and is in the advanced audit.' },
    'zh-CN': { title: '高级审核', content: '您的账号已通过初级审核，正在进行高级审核。' },
  },
  account_refused: {
    en: { title: 'Audit failed', content: 'Your merchant account was not opened: {reason}' },
    'zh-CN': { title: '审核未通过', content: '您的商户账号未能开通：{reason}' },
  },
  account_frozen: {
    en: { title: 'Account frozen', content: 'The operator froze your account.' },
    'zh-CN': { title: '账号已冻结', content: '运营方已冻结您的账号。' },
  },
  account_unfrozen: {
    en: { title: 'Account no longer frozen', content: 'The operator ended the freeze of your account.' },
    'zh-CN': { title: '账号已解冻', content: '运营方已解除您账号的冻结。' },
  },
} as const satisfies Record<string, Record<Language, { title: string; content: string }>>

const unknownDevice: Record<Language, string> = { en: 'Unknown device', 'zh-CN': '未知设备' }
const places: Record<string, Record<Language, string>> = {
  private: { en: 'Private network', 'zh-CN': '内部网络' },
  unknown: { en: 'Unknown', 'zh-CN': '未知' },
}

/** The name of a device for people. A program that names no browser has none. */
export const deviceText = (device: string, language: Language): string => device || unknownDevice[language]

/** Where somebody was, as it is stored, in the reader's language. Empty for what the operator did. */
export const placeText = (place: string, language: Language): string => places[place]?.[language] ?? ''
