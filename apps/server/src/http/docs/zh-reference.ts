/** What the contract says of calls and fields, in Chinese, by the English text. A test tells when one is missing. */
export const zhReference: Record<string, string> = {
  'Create a payment. The same out_trade_no with the same body gives the first one again':
    '创建付款。相同 out_trade_no 且内容相同时返回首次创建的付款',
  'Payments of the application, newest first': '应用的付款，最新的在前',
  'One payment, by trade_no, or by the own number as out:<out_trade_no>':
    '查询单笔付款：按 trade_no，或以 out:<out_trade_no> 按自己的订单号',
  'Close a payment that nothing has been paid for': '关闭尚未收到款项的付款',
  'Chains with the tokens accepted on them': '支持的链及其代币',
  'Balances of the merchant per token and chain': '商户在各链各代币上的余额',
  'A payment as its payer sees it': '付款人看到的付款',
  'Choose chain and token; leases the address and fixes the exact amount': '选择链和代币；分配地址并确定准确金额',
  'Server-sent events: the payment after every change': '服务器推送事件：每次变化后的付款',
  'A refusal: nothing happened': '拒绝：未执行任何操作',

  'Decimal string': '十进制字符串',
  'Unix seconds': 'Unix 秒',
  'Decimal string, in `currency`': '十进制字符串，以 `currency` 计价',
  'Your order number, unique per application: letters, digits, - _ . and : (1 to 64)':
    '您的订单号，在应用内唯一：字母、数字和 - _ . :（1 至 64 位）',
  'USDT or a fiat currency such as USD, EUR, CNY': 'USDT，或 USD、EUR、CNY 等法币',
  'The id of a chain. With `token` it fixes what is paid in; otherwise the payer chooses':
    '链的 ID。与 `token` 一起指定支付币种；否则由付款人选择',
  'The token on that chain': '该链上的代币',
  'What the payer reads': '付款人看到的说明',
  'Given back unchanged in answers and callbacks': '在返回和回调中原样带回',
  'Where the payer can go when it is over': '付款结束后付款人可返回的地址',
  'Instead of the notify URL of the application': '代替应用的回调地址',
  'Seconds to pay within': '付款有效秒数',
  'The same key and request give the first answer again, for two days': '两天内相同的键和请求返回首次的结果',

  'Order number of the platform, 32 digits': '平台订单号，32 位数字',
  'Your order number': '您的订单号',
  'The application it belongs to': '所属应用',
  '1 to be paid, 2 paid, 3 timed out, 4 closed, 5 under refund, 6 refunded, 7 error, 8 failed on the chain':
    '1 待支付，2 已支付，3 已超时，4 已关闭，5 退款中，6 已退款，7 异常，8 链上确认失败',
  'What is unusual about the money that came': '款项的特殊情况',
  'Asked, in USDT': '应付金额（USDT）',
  'The fiat currency asked in; empty for USDT': '计价法币；USDT 时为空',
  'Asked, in that currency': '以该法币计的应付金额',
  'What one unit of the currency was worth in USDT when the payment was made; null for USDT':
    '创建时一单位法币折合的 USDT；USDT 时为 null',
  'Empty until the payer has chosen, as are chain, chain_id and address':
    '付款人选择之前为空，chain、chain_id 和 address 亦然',
  'The name of the chain': '链的名称',
  'The id of the chain, as in the list of currencies': '链的 ID，同币种列表',
  'Asked, in `token`': '应付金额，以 `token` 计',
  'Credited so far, in `token`': '已入账金额，以 `token` 计',
  'Our fee, in `token`': '手续费，以 `token` 计',
  'Where the payer sends to': '收款地址',
  'As you gave it': '与您提供的相同',
  'Send your customer here': '将客户引导至此页面',
  'Until when it can be paid': '付款截止时间',
  'When enough had come; 0 while not paid': '足额到账的时间；未支付时为 0',
  'The transfers that were seen, oldest first; of more than 100 the last 100':
    '检测到的转账，最早的在前；超过 100 笔时只列最近 100 笔',

  'When it was credited; 0 while it waits for confirmations': '入账时间；等待确认时为 0',
  'The transaction': '交易哈希',
  'The transaction at an explorer; empty where there is none': '区块浏览器中的交易；没有时为空',
  'What arrived, in `token`': '到账金额，以 `token` 计',
  'What the payer paid for the transaction, in the native coin': '付款人支付的网络费，以原生币计',
  'The native coin': '原生币',
  'The token standard by which payers know the network': '付款人所知的网络代币标准',
  'seen: waits for confirmations; credited: final; dropped: left the chain before; undone: taken back after':
    'seen：等待确认；credited：已最终确认；dropped：确认前离开了链；undone：入账后被撤销',
  'It came after the payment was over': '在付款结束后到账',

  'Of the chain': '链的 ID',
  'Its name': '名称',
  'The token standard by which payers know it': '付款人所知的代币标准',
  'Blocks after which a deposit is final': '最终确认所需的区块数',
  'Of the asset': '资产的 ID',
  'Empty for the native coin': '原生币为空',
  'Last known; 0 when there is none': '最近已知价格；没有时为 0',
  'What can be withdrawn or refunded': '可提现或退款的金额',
  'Reserved by withdrawals and refunds under way': '进行中的提现和退款所占用的金额',
  'Of both, at the last known price': '二者按最近已知价格的价值',

  'The name of the application: by that the payer knows whom to pay': '应用名称，付款人据此知道付给谁',
  'Its website, or empty': '网站，可为空',
  'The server’s clock, so that the time left is right on any phone': '服务器时间，使任何手机上的剩余时间都准确',
  'The chain cannot be read at the moment: nothing is lost, it takes longer':
    '暂时无法读取该链：款项不会丢失，只是需要更久',
  'What can be paid in; empty once money was seen': '可选的支付币种；检测到款项后为空',
  'Asked in all': '应付总额',
  'Credited so far': '已入账',
  'Seen, waiting for confirmations': '已检测到，等待确认',
  'Still to be paid: asked, less what is credited and what is on its way; 0 once that is enough':
    '仍需支付：应付减去已入账和在途金额；已足够时为 0',
  'Credited beyond what was asked': '多付的金额',
  'Payment link for the rest: EIP-681, or the plain address where a chain has no such links; empty when nothing is to be paid':
    '剩余金额的付款链接：EIP-681，或在没有此类链接的链上为地址本身；无需付款时为空',

  'Of the error catalogue; never changes its meaning': '错误码，含义不会改变',
  'What a person may read, in the language of X-Language': '供人阅读的说明，语言由 X-Language 决定',
  'The input that was refused': '被拒绝的字段',
}
