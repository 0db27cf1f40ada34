import type en from '../en/loginMore.ts'

const loginMore: typeof en = {
  text: '使用账号中已设置的方式登录，无需密码。',
  useRecovery: '使用恢复码',
  useApp: '使用身份验证器',
  recoveryText: '请输入您保存的恢复码之一，每个仅可使用一次。',
  recoveryCode: '恢复码',
  passkey: '通行密钥',
  passkeyText: '使用本机的指纹、面容或 PIN 码，或安全密钥',
  mailedCode: '邮箱验证码',
  mailedCodeText: '向您的账号邮箱发送 6 位验证码',
  registerText: '面向使用加密货币收款的商户',
  usePassword: '密码登录',
  codeText: '我们会向您的账号邮箱发送验证码。',
  forgotText: '我们会向您的邮箱发送验证码。',
  setPassword: '设置新密码',
  passwordSet: '密码已修改，请使用新密码登录。',
  verifyTitle: '两步验证',
  verifyText: '请输入身份验证器应用中的 6 位验证码。',
  verify: '验证',
  newPassword: '新密码',
  confirmPassword: '确认密码',
  code: '验证码',
  authenticatorCode: '身份验证器验证码',
  timeZoneHint: '统计、列表和导出均按此时区显示，之后可修改。',
  passwordHint: '至少 8 位字母和数字，须包含数字、小写字母和大写字母',
  haveAccount: '已有账号？',
  backToSignIn: '返回登录',
}

export default loginMore
