import type { CallbackState, DepositState, PaymentException, PaymentState, WithdrawalState } from '../codes.ts'

export const payment: Record<PaymentState, string> = {
  open: '待支付',
  paid: '已支付',
  timed_out: '交易超时',
  closed: '交易关闭',
  refunding: '退款中',
  refunded: '已退款',
  in_doubt: '异常',
  dropped: '链上确认失败',
}

export const exception: Record<PaymentException, string> = {
  none: '无',
  partial: '部分支付',
  over: '超额支付',
  late: '逾期到账',
  marked_paid: '人工标记已支付',
  marked_invalid: '人工标记无效',
}

export const callback: Record<CallbackState, string> = {
  pending: '待确认',
  delivered: '成功',
  retrying: '失败',
  given_up: '回调超时',
  withheld: '已停发',
}

export const withdrawal: Record<WithdrawalState, string> = {
  auditing: '审核中',
  audit_rejected: '审核拒绝',
  transferring: '转账中',
  confirming: '确认中',
  accomplished: '已完成',
  canceled: '已取消',
  abnormal: '异常',
}

export const depositState: Record<DepositState, string> = {
  seen: '确认中',
  credited: '已入账',
  dropped: '已被链撤销',
  undone: '已撤销',
}
