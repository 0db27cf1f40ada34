import type en from '../en/notifications.ts'

const notifications: typeof en = {
  readAll: '全部已读',
  unread: '未读',
  groups: '通知类型',
  notices: '提醒',
  money: '资金变动',
  countMoney: '计入未读角标',
  openIt: { application: '查看应用', security: '前往账号与安全', billing: '查看账单' },
  sweeps: count => `${count} 笔资金归集`,
  noNotifications: '暂无通知',
  noNotificationsText: '登录、账号变动和需要处理的事项会显示在这里。',
  noMoney: '暂无记录',
  noMoneyText: '正常完成的收款、提现、退款和划转会显示在这里。',
  ip: 'IP',
  device: '设备',
  location: '地点',
  expenseDetails: '支出详情',
  expenseText: '归集您的款项所支付的矿工费。',
  expenseHistory: '矿工费支出记录',
  amount: '金额',
  currency: '币种',
  time: '时间',
  txid: '交易哈希',
  network: '网络',
  token: '代币',
  noExpenses: '该时间范围内没有矿工费支出',
}

export default notifications
