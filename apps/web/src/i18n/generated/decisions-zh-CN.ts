export default {
  "PUT /api/operator/v1/merchants/:id/risk": "修改 {of} 的风险等级",
  "POST /api/operator/v1/merchants/:id/unfreeze": "解冻 {of}",
  "PUT /api/operator/v1/merchants/:id/terms": "修改 {of} 的费率与限额",
  "POST /api/operator/v1/merchants/:id/lift-hold": "解除 {of} 的提现暂停",
  "POST /api/operator/v1/chains/:id/resume": "恢复读取 {of} 网络",
  "POST /api/operator/v1/deposits/:id/undo": "撤销充值 {of}",
  "POST /api/operator/v1/deposits/:id/credit": "入账充值 {of}",
  "POST /api/operator/v1/deposits/:id/return": "退回充值 {of}",
  "POST /api/operator/v1/assets/:id/release": "恢复代币 {of}",
  "POST /api/operator/v1/queues/:id/resume": "恢复{of}",
  "POST /api/operator/v1/wallets/:id/resume": "恢复 {of} 热钱包",
  "POST /api/operator/v1/wallets/:id/abandon": "放弃 {of} 的一个 nonce",
  "POST /api/operator/v1/wallets/:id/empty": "将 {of} 热钱包的全部余额转入资金库",
  "POST /api/operator/v1/incidents/:id/close": "关闭异常“{of}”"
}
