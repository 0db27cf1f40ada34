import { paymentStatus } from '@coffer/contract/codes.ts'
import { codeList, paymentLabels } from '@coffer/contract/labels.ts'

const deposit = {
  confirmation_time: '入账时间；等待确认时为 0',
  txid: '交易哈希',
  browser_url: '区块浏览器中该交易的网址，可为空',
  amount: '到账金额，以 `token` 计',
  gas: '付款人支付的矿工费，以原生币计',
  gas_token: '该链的原生币',
  net: '付款人熟知的网络名称，例如 ERC20',
  state: 'seen：等待确认；credited：已最终确认；dropped：最终确认前从链上移除；undone：入账后被撤销',
  late: '转账是否在收款结束后到账',
}
const { txid, browser_url, amount, state, late } = deposit
const netWork = '代币标准；原生币为空'

/** Descriptions of fields in the contract. */
export const reference = {
  fields: {
    NewOrder: {
      out_trade_no: '商户订单号，在同一应用内唯一：1 至 64 个可打印字符，空格只能位于其他字符之间',
      amount: '以 `currency` 计价的金额，十进制字符串',
      currency: 'USDT、ETH 或 USDC 等其他代币，或 USD、EUR、CNY 等法币',
      chain: '链的 ID。与 `token` 一起指定支付币种；未指定时由付款人选择',
      token: '该链上的代币',
      subject: '向付款人显示的说明',
      attach: '自定义数据，在响应和回调中原样返回',
      metadata:
        '自定义数据，由文本、数字和布尔值组成的对象，在响应和回调中返回。最多 50 个键，不超过 16 kB；可按其查询订单',
      return_url: '付款人从收银台返回的网址',
      cancel_url: '付款人不付款而返回的网址；未设置时不显示该链接',
      auto_redirect: '订单支付后收银台是否自动前往 return_url，订单关闭后是否自动前往 cancel_url。跳转前会显示目标网站',
      tolerance_permille: '少付不超过该比例时仍视为已支付，单位为千分之一；默认且最多为应用的设置',
      notify_url: '该订单的回调地址，代替应用的回调地址',
      expires_in: '订单有效秒数',
    },
    Order: {
      trade_no: '平台订单号，32 位数字',
      out_trade_no: '商户订单号',
      appid: '创建订单的应用 ID',
      status: codeList(paymentStatus, paymentLabels['zh-CN'], '，'),
      exception: '到账金额或时间与订单的差异',
      usdt_amount: '订单金额，以 USDT 计',
      fiat_name: '订单的计价法币；以 USDT 计价时为空',
      fiat_amount: '订单金额，以该法币计',
      rate: '创建订单时锁定的法币对 USDT 汇率；以 USDT 计价时为 null',
      token: '支付代币。与 chain、chain_id 和 address 一样，付款人选择之前为空',
      chain: '链的名称',
      chain_id: '链的 ID，见币种列表',
      amount: '应付金额，以 `token` 计',
      paid_amount: '已入账金额，以 `token` 计',
      fees: '收取的手续费，以 `token` 计',
      address: '收款地址',
      attach: '您的自定义数据，原样返回',
      metadata: '您的自定义数据对象',
      tolerance_permille: '少付不超过该比例时仍视为已支付，单位为订单金额的千分之一',
      pay_url: '收银台网址，请将客户引导至此',
      expire_time: '订单过期时间',
      paid_time: '支付成功时间；未支付时为 0',
      deposits: '收到的转账，最早的在前；最多列出最近 100 笔',
    },
    Deposit: deposit,
    Currency: {
      id: '链的 ID',
      chain: '链的名称',
      net_work: '付款人熟知的网络名称，例如 ERC20',
      confirmations: '最终确认所需的确认数',
    },
    'Currency.tokens': {
      id: '资产的 ID',
      contract: '合约地址，原生币为空',
      usdt_price: '最近已知的 USDT 价格；未知时为 0',
    },
    Balance: {
      available: '可用于提现和退款的金额',
      held: '进行中的提现和退款冻结的金额',
      usdt_value: '以上两项按最近已知价格折合的 USDT',
    },
    Checkout: {
      merchant_name: '应用名称，作为收款方显示',
      merchant_url: '应用的网站，可为空',
      now: '服务器时间，用于计算剩余时间，不依赖设备时钟',
      delayed: '读取该链是否有延迟。款项不会丢失，但需要更长时间才能显示',
      cancel_url: '付款人不付款而返回的网址，可为空',
      auto_redirect: '付款结束后页面是否自动返回',
      choices: '可选的支付币种；检测到转账后为空',
    },
    'Checkout.choices': { net_work: netWork },
    'Checkout.chosen': {
      net_work: netWork,
      counted: '该链上同样计入本次收款的其他代币',
      amount: '应付总额',
      paid: '已入账金额',
      pending: '已检测到、尚未最终确认的金额',
      rest: '待付金额：应付总额减去已入账和待确认金额；已足额时为 0',
      surplus: '多付的金额',
      uri: '待付金额的付款链接：EIP-681；不支持付款链接的链上为收款地址；无需付款时为空',
    },
    'Checkout.deposits': { txid, browser_url, amount, state, late },
    Error: {
      code: '错误码，含义不会改变',
      msg: '供人阅读的错误信息，语言由 X-Language 决定',
      field: '有误的字段',
      retry_after: '返回 429 时重试前需等待的秒数，同 Retry-After',
    },
    parameters: {
      'Idempotency-Key': '两天内，键和请求均相同时返回首次的结果',
    },
  },
}
