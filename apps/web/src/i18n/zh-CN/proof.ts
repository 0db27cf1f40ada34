import type en from '../en/proof.ts'

const proof: typeof en = {
  confirmBy: '验证方式',
  ways: { passkey: '通行密钥', google: '身份验证器', email: '邮箱', phone: '手机', recovery: '恢复码' },
  codes: { google: '身份验证器验证码', email: '邮箱验证码', phone: '手机验证码', recovery: '恢复码' },
  hints: {
    google: '身份验证器应用中的 6 位验证码',
    recovery: '您保存的十个恢复码之一，每个仅可使用一次。',
  },
  sentTo: to => `我们会向 ${to} 发送 6 位验证码。`,
  passkeyHint: '确认时，请按设备提示验证指纹、面容或 PIN 码。',
  passkeysElsewhere: host =>
    `此操作仅可由通行密钥确认，而您的通行密钥仅可在 ${host} 使用。请先在“账号与安全”中添加新的通行密钥。`,
  wallets: {
    none: '此浏览器中未检测到钱包，请安装钱包，或在钱包应用的浏览器中打开本页。',
    failures: {
      canceled: '钱包未签名，请重试。',
      open: '钱包中有待处理的请求，请处理后重试。',
      failed: '钱包无法签名，请解锁后重试。',
    },
  },
  failures: {
    canceled: '未完成通行密钥验证，请重试。',
    moved: '未完成通行密钥验证。在本站其他域名创建的通行密钥无法在此使用，请改用其他方式登录，再添加新的通行密钥。',
    exists: '该设备已有此账号的通行密钥。',
    failed: '当前浏览器无法在此使用通行密钥，请通过域名和 https 访问。',
  },
}

export default proof
