import type en from '../en/pay-link.ts'
import amounts from './amounts.ts'

const payLink: typeof en = {
  title: '付款',
  loading: '加载中',
  footer: '由 Coffer 提供技术支持',
  offline: '网络连接失败，请检查网络后重试。',
  hiddenRemoved: '已移除输入内容中的不可见字符。',
  tryAgain: '重试',
  failed: '页面加载失败',
  notValid: '无法打开该链接',
  payee: '收款方',
  amount: '金额',
  amountNeeded: '请输入金额，例如 19.90。',
  amounts,
  atLeast: (amount: string) => `最低 ${amount}`,
  atMost: (amount: string) => `最高 ${amount}`,
  amountIn: currency => `金额（${currency}）`,
  pay: '去付款',
  view: '查看付款',
  testMode: '测试模式：非真实资金',
  once: '仅可付款一次',
  closed: {
    used: '该链接仅可付款一次，且已完成付款。',
    expired: '该链接已过期，请向收款方索取新链接。',
    disabled: '收款方已停用该链接。',
    unavailable: '收款方暂不接受付款。',
  },
}

export default payLink
