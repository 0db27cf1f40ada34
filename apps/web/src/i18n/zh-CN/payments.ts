import type en from '../en/payments.ts'

const payments: typeof en = {
  title: '收款记录',
  caption: '收款记录',
  status: '状态',
  allStatuses: '全部状态',
  emptyTitle: '暂无收款',
  emptyText: '您的服务器创建订单后会立即显示在这里。',
  searchText: '搜索订单号或其开头、商品、金额、交易哈希、地址',
  searchHint: '订单号、商品、金额或地址',
  truncated: '匹配的订单过多，仅列出最新的部分。请补充关键词或选择日期。',
}

export default payments
