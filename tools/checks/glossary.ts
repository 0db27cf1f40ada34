/** What people read as one thing has one name in each language. `not` are names that texts must not give it. */
export interface Term {
  en: string
  zh: string
  means: string
  not: readonly RegExp[]
}

/**
 * The names of things that texts had named in several ways, or by a word that means something else elsewhere. The
 * specification's words come first, then those of payment consoles.
 */
export const glossary: readonly Term[] = [
  {
    en: 'Success rate',
    zh: '支付成功率',
    means: 'The share of payments created in a time that were paid in full',
    not: [/\bpaid rate\b/i, /\bpayment rate\b/i, /支付率|付款率/],
  },
  {
    en: 'Allowed, Not allowed, Required',
    zh: '允许、不允许、须完成',
    means:
      'What a rule of a withdrawal policy says about a withdrawal: it may be sent, may not, or needs one thing more',
    not: [/^(?:passes|refuses|asks|asks for you|allows|does not allow)$/i, /^不通过$/],
  },
  {
    en: 'Reserved',
    zh: '冻结',
    means: 'Part of a balance that is set aside for withdrawals and refunds which have not ended',
    not: [/^held(?: balance)?$/i, /\bheld balance\b/i, /占用余额/],
  },
  {
    en: 'On hold',
    zh: '暂停；充值：暂缓入账',
    means: 'Stopped until somebody has looked at it, or a time is over: withdrawals of an account, deposits of a token',
    not: [/\b(?:is|are|been) held\b/i, /^held$/i, /^待核对$/],
  },
  {
    en: 'Collect',
    zh: '收款',
    means: 'Receiving payments by a link or at the counter, and the page for it; never the moving of deposits',
    not: [
      /\bcollect (?:now|deposits)\b/i,
      /\bcollection (?:of deposits|requested)\b/i,
      /\bnothing to collect\b/i,
      /归集收款/,
    ],
  },
  {
    en: 'Fund aggregation; in the console: Sweep',
    zh: '资金归集',
    means: 'Moving what deposit addresses hold to the hot wallet or treasury',
    not: [/\bimputing\b/i, /\bfund collection\b/i, /资金汇集|资金聚合/],
  },
  {
    en: 'Powered by Coffer',
    zh: '由 Coffer 提供技术支持',
    means: 'The foot of every page of payers, approvers and receivers of refunds; Coffer is never who pays',
    not: [/\b(?:paid|payments|sent) by coffer\b/i, /由 Coffer (?:支付|发送|提供收款)/],
  },
  {
    en: 'Getting started',
    zh: '开始使用',
    means: 'The steps to the first payment, on the dashboard and on a page of their own',
    not: [/\bfirst steps\b/i, /^get started$/i, /新手(?:引导|指南|入门)/],
  },
  {
    en: 'Recharge',
    zh: '充值',
    means: 'Money sent to a fixed address without a payment, and how to send it',
    not: [/^receive$/i, /\btop[- ]?up\b/i, /^收款地址（充值）$/],
  },
  {
    en: 'Second approval',
    zh: '双人复核',
    means: 'The rule that a second person approves a withdrawal above an amount, and what a second operator confirms',
    not: [/\bapproval by somebody else\b/i, /\bsomebody else must approve\b/i, /他人审核|第二人确认|双人确认/],
  },
  {
    en: 'Per-withdrawal limit, Limit per period',
    zh: '单笔限额、周期限额',
    means: 'The most that one withdrawal, or all of a period, may be worth',
    not: [/\blimit of one withdrawal\b/i, /\blimits? (?:with)?in a time\b/i, /\blargest withdrawal\b/i, /时段限额/],
  },
  {
    en: 'Minimum amount, Maximum amount',
    zh: '最低金额、最高金额',
    means: 'Between what a payer may choose the amount of a payment link',
    not: [/\b(?:least|largest) amount\b/i],
  },
  {
    en: 'Recipient',
    zh: '收款方',
    means: 'Who gets a withdrawal, refund or transfer; a receiver is a server that gets callbacks',
    not: [/\b(?:to (?:one|all|the same)|new) receivers?\b/i, /\breceivers? of transfers\b/i],
  },
  {
    en: 'Payer',
    zh: '付款人',
    means: 'Who pays a payment',
    not: [/\bthe customer pays\b/i, /付款方(?!式)|支付人|付款者/],
  },
  {
    en: 'Suspicious sign-in',
    zh: '非本人登录',
    means: 'A sign-in that the merchant reports as that of somebody else',
    not: [/\bforeign sign-in\b/i],
  },
  {
    en: 'Abandoned callback',
    zh: '已放弃的回调',
    means: 'A callback that no attempt delivered and that is no longer tried; its state reads "Callback timeout"',
    not: [/\bcallbacks? (?:were |was |that were )?given up\b/i],
  },
  {
    en: 'Permission request',
    zh: '开通申请',
    means: 'That a merchant asks for merchant permission, and an operator reviews it',
    not: [/\bopenings?(?! (?:hours|balance))\b/i],
  },
  {
    en: 'Canceled',
    zh: '已取消',
    means: 'Ended by somebody before it was done; spelled as the specification does',
    not: [/\bcancell(?:ed|ing)\b/i],
  },
  {
    en: 'Journal',
    zh: '账本导出',
    means: 'The fund flow as a file that bookkeeping programs read',
    not: [/记账文件/],
  },
  {
    en: 'Review; of a withdrawal: Approve, Reject',
    zh: '审核；通过、拒绝',
    means: 'Deciding on a withdrawal or a permission request; the rule that asks a second person is Second approval',
    not: [/审批|批准|驳回/],
  },
  {
    en: 'Primary audit, Advanced audit',
    zh: '初级审核、高级审核',
    means: 'The two stages in which operators review a permission request, for merchants and in the console',
    not: [/初审|复审/],
  },
  {
    en: 'Removal of an authenticator',
    zh: '解绑身份验证器',
    means: 'Taking the authenticator off an account, by the merchant or by two operators',
    not: [/移除.{0,8}身份验证器|解除.{0,8}身份验证器/],
  },
  {
    en: 'Undo a deposit',
    zh: '撤销充值',
    means: 'Taking back the credit of a deposit whose transaction is gone',
    not: [/撤销到账/],
  },
  {
    en: 'Notify URL',
    zh: '回调地址',
    means: "Where the callbacks of an application go; 接收地址 is a fund flow's address on a network",
    not: [/接收地址(?:出错|恢复)/],
  },
  {
    en: 'Shop',
    zh: '店铺',
    means: 'A program that sells and is connected; BTCPay calls its number the Store ID (商店 ID)',
    not: [/商城|商店(?! ID)/],
  },
  {
    en: 'Value',
    zh: '估值',
    means: 'What an amount is worth in USDT or in the accounting currency',
    not: [/^价值$|(?:USDT |法币|发生时)价值$/],
  },
  {
    en: 'Address book',
    zh: '地址簿',
    means: "The merchant's saved recipients, and the page of them",
    not: [/地址管理/, /\baddress management\b/i],
  },
]
