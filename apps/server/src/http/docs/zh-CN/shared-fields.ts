/** Fields that several answers have. */
export const deposit = {
  confirmation_time: '入账时间；等待确认时为 0',
  seen_time: '检测到转账的时间',
  txid: '交易哈希',
  browser_url: '区块浏览器中该交易的网址，可为空',
  chain: '链的名称',
  amount: '到账金额，以 `token` 计',
  gas: '付款人支付的矿工费，以原生币计',
  gas_token: '该链的原生币',
  token: '到账代币',
  to_address: '收款地址',
  from_address: '付款人地址',
  net: '付款人熟知的网络名称，例如 ERC20',
  confirmations: '当前确认数',
  required_confirmations: '入账所需的确认数',
  state: 'seen：等待确认；credited：已最终确认；dropped：最终确认前从链上移除；undone：入账后被撤销',
  late: '转账是否在收款结束后到账',
  held: '确认数已足但尚未入账：该代币正在与链上余额核对，或已被暂停',
}

export const asset = {
  asset_id: '资产的 ID',
  token: '代币符号',
  chain: '链的名称',
  net_work: '代币标准；原生币为空',
  logo: '代币图标的网址',
  chain_logo: '链图标的网址',
}
