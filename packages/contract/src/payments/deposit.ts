import { z } from 'zod'
import { depositStates } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { decimalAmount, unixSeconds } from '../kit/schemas.ts'

/** A deposit of a payment. */
export const chainConfirmation = z
  .object({
    confirmation_time: unixSeconds.meta(
      describeField({
        en: 'When the deposit was credited; 0 while it awaits confirmations',
        'zh-CN': '入账时间；等待确认时为 0',
      }),
    ),
    seen_time: unixSeconds.meta(describeField({ en: 'When the transfer was detected', 'zh-CN': '检测到转账的时间' })),
    txid: z.string().meta(describeField({ en: 'Transaction hash', 'zh-CN': '交易哈希' })),
    browser_url: z.string().meta(
      describeField({
        en: 'URL of the transaction in a block explorer, or empty',
        'zh-CN': '区块浏览器中该交易的网址，可为空',
      }),
    ),
    chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
    amount: decimalAmount.meta(
      describeField({ en: 'Amount received, in `token`', 'zh-CN': '到账金额，以 `token` 计' }),
    ),
    gas: decimalAmount.meta(
      describeField({
        en: 'Gas fee paid by the sender, in the native coin',
        'zh-CN': '付款人支付的矿工费，以原生币计',
      }),
    ),
    gas_token: z.string().meta(describeField({ en: 'Native coin of the chain', 'zh-CN': '该链的原生币' })),
    token: z.string().meta(describeField({ en: 'Token received', 'zh-CN': '到账代币' })),
    to_address: z.string().meta(describeField({ en: 'Deposit address', 'zh-CN': '收款地址' })),
    from_address: z.string().meta(describeField({ en: 'Address of the sender', 'zh-CN': '付款人地址' })),
    net: z.string().meta(
      describeField({
        en: 'Name under which payers know the network, such as ERC20',
        'zh-CN': '付款人熟知的网络名称，例如 ERC20',
      }),
    ),
    confirmations: z.int().meta(describeField({ en: 'Confirmations so far', 'zh-CN': '当前确认数' })),
    required_confirmations: z
      .int()
      .meta(describeField({ en: 'Confirmations after which the transfer is credited', 'zh-CN': '入账所需的确认数' })),
    state: z.enum(depositStates).meta(
      describeField({
        en: 'seen: awaits confirmations; credited: final; dropped: reorged out before it was final; undone: reversed after it was credited',
        'zh-CN': 'seen：等待确认；credited：已最终确认；dropped：最终确认前从链上移除；undone：入账后被撤销',
      }),
    ),
    late: z.boolean().meta(
      describeField({
        en: 'Whether the transfer arrived after the payment had ended',
        'zh-CN': '转账是否在收款结束后到账',
      }),
    ),
    held: z.boolean().meta(
      describeField({
        en: 'Whether it has its confirmations and is not credited yet, as its token is being compared with balances or is on hold',
        'zh-CN': '确认数已足但尚未入账：该代币正在与链上余额核对，或已被暂停',
      }),
    ),
  })
  .meta({ id: 'Deposit', description: 'A transfer on a chain to a deposit address' })

/** A transfer as the payer sees it. */
export const payerDeposit = chainConfirmation
  .pick({
    txid: true,
    browser_url: true,
    chain: true,
    token: true,
    amount: true,
    confirmations: true,
    required_confirmations: true,
    state: true,
    late: true,
    held: true,
    seen_time: true,
  })
  .extend({
    accepted: z.boolean().meta(
      describeField({
        en: 'False for a bridged token that was sent for an accepted one: it never counts',
        'zh-CN':
          '是否为支持的代币；误转的桥接代币为 false，由 Coffer 运营方决定计入商户账户或退回付款地址，且不计入本次收款',
      }),
    ),
    returned: z.enum(['no', 'coming', 'sent']).meta(
      describeField({
        en: 'Whether an operator gives it back to its sender: on its way, or paid',
        'zh-CN': '运营方是否将其退回付款地址：no 不退回，coming 退回中，sent 已退回',
      }),
    ),
    returned_to: z.string().meta(
      describeField({
        en: 'The address that sent it and gets it back; empty for what is not returned',
        'zh-CN': '付款地址，即退回地址；不退回时为空',
      }),
    ),
  })
