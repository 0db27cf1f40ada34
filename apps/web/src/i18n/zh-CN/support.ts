import { callback, depositState } from '@coffer/contract/labels/zh-CN.ts'
import type en from '../en/support.ts'

/** Texts of the console about what support looks up: search, a payment, and what a merchant does. */
const support: typeof en = {
  searchTitle: '搜索',
  searchText: '在所有商户的账户、收款和提现中查找。',
  foundMerchants: '商户',
  foundPayments: '收款',
  foundWithdrawals: '提现',
  nothingFound: text => `未找到“${text}”`,
  nothingFoundHint: '编号、订单号、交易哈希和地址须完整输入；邮箱和名称可只输入一部分。',
  newestPayments: '最近收款',
  noPayments: '暂无收款',
  newestWithdrawals: '最近提现',
  noWithdrawals: '暂无提现',
  failedCallbacks: '已放弃的回调',
  sessions: '登录中的会话',
  noSessions: '当前无人登录',
  order: '商户订单号',
  application: '应用',
  subject: '商品名称',
  asked: '应付金额',
  arrived: '实收金额',
  fees: '手续费',
  depositAddress: '收款地址',
  created: '创建时间',
  expires: '过期时间',
  paid: '支付时间',
  deposits: '到账记录',
  noDeposits: '尚无到账',
  late: '逾期到账',
  held: '暂缓入账',
  confirmations: (seen, required) => `${seen} / ${required} 个确认`,
  callbacks: '回调',
  noCallbacks: '暂无回调',
  callbackStates: callback,
  depositStates: depositState,
}

export default support
