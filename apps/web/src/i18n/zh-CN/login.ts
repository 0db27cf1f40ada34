import type en from '../en/login.ts'

const login: typeof en = {
  titles: {
    signIn: '登录',
    code: '验证码登录',
    more: '其他登录方式',
    register: '注册账号',
    forgot: '重置密码',
    'not-me': '非本人操作？',
    invitation: '加入商户邀请',
  },
  signIn: '登录',
  signInText: '进入您的商户后台',
  register: '注册账号',
  forgot: '忘记密码？',
  more: '其他方式',
  email: '邮箱',
  password: '密码',
  continueWith: name => `使用 ${name} 继续`,
  or: '或',
  noAccount: '还没有账号？',
  passwordNeeded: '请输入密码',
  notInitialized: '谷歌登录尚未就绪，请稍后重试',
  signInCancelled: '登录窗口已关闭',
  sandbox: '邮件会发送到',
  openInbox: '沙箱收件箱',
}

export default login
