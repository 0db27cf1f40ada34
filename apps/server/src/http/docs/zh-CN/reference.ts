import { paymentStatus } from '@coffer/contract/codes.ts'
import { listed, paymentLabels } from '@coffer/contract/labels.ts'

const deposit = {
  confirmation_time: '入账时间；等待确认时为 0',
  txid: '交易哈希',
  browser_url: '区块浏览器中的交易；没有时为空',
  amount: '到账金额，以 `token` 计',
  gas: '付款人支付的网络费，以原生币计',
  gas_token: '原生币',
  net: '付款人所知的网络代币标准',
  state: 'seen：等待确认；credited：已最终确认；dropped：确认前离开了链；undone：入账后被撤销',
  late: '在付款结束后到账',
}
const { txid, browser_url, amount, state, late } = deposit

/** What the contract says of calls and fields. */
export const reference = {
  calls: {
    'POST /api/v1/pay/orders': '创建付款。相同 out_trade_no 且内容相同时返回首次创建的付款',
    'GET /api/v1/pay/orders': '应用的付款，最新的在前',
    'GET /api/v1/pay/orders/:trade_no': '查询单笔付款：按 trade_no，或以 out:<out_trade_no> 按自己的订单号',
    'POST /api/v1/pay/orders/:trade_no/close': '关闭尚未收到款项的付款',
    'GET /api/v1/pay/currencies': '支持的链及其代币',
    'GET /api/v1/pay/balances': '商户在各链各代币上的余额',
    'GET /api/v1/checkout/:trade_no': '付款人看到的付款',
    'POST /api/v1/checkout/:trade_no/choose': '选择链和代币；分配地址并确定准确金额',
    'GET /api/v1/checkout/:trade_no/events': '服务器推送事件：每次变化后的付款',
  },
  fields: {
    NewOrder: {
      out_trade_no: '您的订单号，在应用内唯一：字母、数字和 - _ . :（1 至 64 位）',
      amount: '十进制字符串，以 `currency` 计价',
      currency: 'USDT，或 USD、EUR、CNY 等法币',
      chain: '链的 ID。与 `token` 一起指定支付币种；否则由付款人选择',
      token: '该链上的代币',
      subject: '付款人看到的说明',
      attach: '在返回和回调中原样带回',
      return_url: '付款结束后付款人可返回的地址',
      notify_url: '代替应用的回调地址',
      expires_in: '付款有效秒数',
    },
    Order: {
      trade_no: '平台订单号，32 位数字',
      out_trade_no: '您的订单号',
      appid: '所属应用',
      status: listed(paymentStatus, paymentLabels['zh-CN'], '，'),
      exception: '款项的特殊情况',
      usdt_amount: '应付金额（USDT）',
      fiat_name: '计价法币；USDT 时为空',
      fiat_amount: '以该法币计的应付金额',
      rate: '创建时一单位法币折合的 USDT；USDT 时为 null',
      token: '付款人选择之前为空，chain、chain_id 和 address 亦然',
      chain: '链的名称',
      chain_id: '链的 ID，同币种列表',
      amount: '应付金额，以 `token` 计',
      paid_amount: '已入账金额，以 `token` 计',
      fees: '手续费，以 `token` 计',
      address: '收款地址',
      attach: '与您提供的相同',
      pay_url: '将客户引导至此页面',
      expire_time: '付款截止时间',
      paid_time: '足额到账的时间；未支付时为 0',
      deposits: '检测到的转账，最早的在前；超过 100 笔时只列最近 100 笔',
    },
    Deposit: deposit,
    Currency: {
      id: '链的 ID',
      chain: '名称',
      net_work: '付款人所知的代币标准',
      confirmations: '最终确认所需的区块数',
    },
    'Currency.tokens': {
      id: '资产的 ID',
      contract: '原生币为空',
      usdt_price: '最近已知价格；没有时为 0',
    },
    Balance: {
      available: '可提现或退款的金额',
      held: '进行中的提现和退款所占用的金额',
      usdt_value: '二者按最近已知价格的价值',
    },
    Checkout: {
      merchant_name: '应用名称，付款人据此知道付给谁',
      merchant_url: '网站，可为空',
      now: '服务器时间，使任何手机上的剩余时间都准确',
      delayed: '暂时无法读取该链：款项不会丢失，只是需要更久',
      choices: '可选的支付币种；检测到款项后为空',
    },
    'Checkout.chosen': {
      amount: '应付总额',
      paid: '已入账',
      pending: '已检测到，等待确认',
      rest: '仍需支付：应付减去已入账和在途金额；已足够时为 0',
      surplus: '多付的金额',
      uri: '剩余金额的付款链接：EIP-681，或在没有此类链接的链上为地址本身；无需付款时为空',
    },
    'Checkout.deposits': { txid, browser_url, amount, state, late },
    Error: {
      code: '错误码，含义不会改变',
      msg: '供人阅读的说明，语言由 X-Language 决定',
      field: '被拒绝的字段',
    },
    parameters: {
      'Idempotency-Key': '两天内相同的键和请求返回首次的结果',
    },
  },
}
