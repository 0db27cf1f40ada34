import { z } from 'zod'
import { describeField } from '../kit/describe.ts'
import { everyRole, moneyRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { decimalAmount, id } from '../kit/schemas.ts'

/** The refusals of a chain that takes no money now. */
export const closedChainErrors = ['chain_unavailable', 'chain_halted'] as const

export const currency = z
  .object({
    id: z.string().meta(describeField({ en: 'ID of the chain', 'zh-CN': '链的 ID' })),
    chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
    net_work: z.string().meta(
      describeField({
        en: 'Name under which payers know the network, such as ERC20',
        'zh-CN': '付款人熟知的网络名称，例如 ERC20',
      }),
    ),
    logo: z.string().meta(describeField({ en: 'URL of the logo', 'zh-CN': '图标的网址' })),
    confirmations: z
      .int()
      .meta(describeField({ en: 'Confirmations after which a deposit is final', 'zh-CN': '最终确认所需的确认数' })),
    tokens: z
      .array(
        z.object({
          id: z.string().meta(describeField({ en: 'ID of the asset', 'zh-CN': '资产的 ID' })),
          token: z.string().meta(describeField({ en: 'Symbol of the token', 'zh-CN': '代币符号' })),
          contract: z
            .string()
            .meta(
              describeField({ en: 'Contract address; empty for the native coin', 'zh-CN': '合约地址，原生币为空' }),
            ),
          decimals: z.int().meta(describeField({ en: 'Decimal places of the token', 'zh-CN': '代币的小数位数' })),
          logo: z.string().meta(describeField({ en: 'URL of the logo', 'zh-CN': '图标的网址' })),
          usdt_price: decimalAmount.meta(
            describeField({
              en: 'Last known price in USDT; 0 if unknown',
              'zh-CN': '最近已知的 USDT 价格；未知时为 0',
            }),
          ),
        }),
      )
      .meta(describeField({ en: 'Tokens accepted on the chain', 'zh-CN': '该链支持的代币' })),
  })
  .meta({ id: 'Currency', description: 'A chain with the tokens accepted on it' })

export const chainRoutes = defineRoutes({
  'GET /api/v1/currency/list': {
    who: everyRole,
    summary: 'List chains with the tokens accepted on them, in the merchant’s order',
    data: z.object({ list: z.array(currency) }),
  },
  'POST /api/v1/currency/rearrange': {
    who: moneyRoles,
    summary: 'Reorder the chains',
    body: z.strictObject({ ids: z.array(id).min(1).max(100) }),
    data: z.object({ list: z.array(currency) }),
  },
})
