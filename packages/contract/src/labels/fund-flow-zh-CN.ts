import type { FundFlowType } from '../codes.ts'
import type { FundAccount, FundFlowDirection, PaymentType } from '../fund-flow/routes.ts'

export const flowType: Record<FundFlowType, string> = {
  payment: '收款',
  recharge: '充值',
  refund: '退款',
  withdrawal: '提现',
  transfer: '划转',
  fee: '手续费',
  gas: '矿工费',
  adjustment: '调账',
}
export const paymentType: Record<PaymentType, string> = {
  on_chain: '链上',
  internal: '站内',
  reserve: '冻结/解冻',
  platform: '平台',
}
export const fundAccount: Record<FundAccount, string> = { available: '可用余额', held: '冻结余额' }
export const flowDirection: Record<FundFlowDirection, string> = { in: '收入', out: '支出' }
