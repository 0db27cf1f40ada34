import type en from '../en/payments.ts'

const payments: typeof en = {
  title: '收款记录',
  caption: '收款记录',
  status: '状态',
  allStatuses: '全部状态',
  emptyTitle: '暂无收款',
  emptyText: '您的服务器创建订单后会立即显示在这里。',
}

export default payments
