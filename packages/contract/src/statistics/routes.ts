import { z } from 'zod'
import { describeField } from '../kit/describe.ts'
import { limits } from '../kit/limits.ts'
import { readingRoles, statisticsRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { booleanText, decimalAmount, id, integerTextBetween, timeRange } from '../kit/schemas.ts'

const assetRow = z.object({
  id: z.string().describe('ID of the asset'),
  token: z.string(),
  chain: z.string(),
  balance: decimalAmount,
  held: decimalAmount.describe('Amount reserved for withdrawals and refunds in progress'),
  usdt_balance: decimalAmount,
  logo: z.string(),
  currency_id: z.string(),
})

const day = z.object({
  date: z
    .string()
    .meta(describeField({ en: 'YYYY-MM-DD in the merchant’s time zone', 'zh-CN': '日期，YYYY-MM-DD，按商户的时区' })),
  income: decimalAmount.meta(
    describeField({ en: 'Amount credited, after fees, in USDT', 'zh-CN': '扣除手续费后的入账金额，以 USDT 计' }),
  ),
  refund: decimalAmount.meta(describeField({ en: 'Amount refunded, in USDT', 'zh-CN': '退款金额，以 USDT 计' })),
  create_num: z.int().meta(describeField({ en: 'Orders created', 'zh-CN': '创建的订单数' })),
  pay_num: z.int().meta(describeField({ en: 'Orders paid', 'zh-CN': '已支付的订单数' })),
})
const byAsset = z.object({
  token: z.string().meta(describeField({ en: 'Symbol of the token', 'zh-CN': '代币符号' })),
  chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
  logo: z.string().meta(describeField({ en: 'URL of the token’s logo', 'zh-CN': '代币图标的网址' })),
  income: day.shape.income,
  amount: decimalAmount.meta(describeField({ en: 'Amount received in the token', 'zh-CN': '以该代币计的收款金额' })),
  pay_num: day.shape.pay_num,
})

/**
 * Days in the merchant's time zone: those of a time range, or the last ones, for which a client need not know the zone.
 */
const inDays = {
  ...timeRange,
  days: integerTextBetween(1, limits.statisticsDaysMax)
    .optional()
    .meta(
      describeField({
        en: 'The last days up to today, instead of a time range',
        'zh-CN': '截至今天的最近天数，代替时间范围',
      }),
    ),
  appid: id.optional(),
}

export const statisticsRoutes = defineRoutes({
  'GET /api/v1/statistics/assets': {
    who: readingRoles,
    summary: 'List balances per token and chain. Includes zero balances only with `all`.',
    query: z.strictObject({ all: booleanText }),
    data: z.object({ list: z.array(assetRow), total_value: decimalAmount }),
  },
  'GET /api/v1/statistics/overview': {
    who: statisticsRoles,
    replica: true,
    summary: 'Get the key figures of the dashboard, in USDT',
    data: z.object({
      income: decimalAmount,
      sure_withdrawal: decimalAmount,
      transaction_volume: decimalAmount,
      cumulative_withdrawal: decimalAmount,
      frozen_amount: decimalAmount.describe('Cumulative income, despite its name'),
      operable_balance: decimalAmount.describe('Amount available for withdrawal'),
      total_assets: decimalAmount,
      today_amount: decimalAmount,
    }),
  },
  'GET /api/v1/statistics/daily-collection': {
    who: statisticsRoles,
    replica: true,
    summary: 'Get daily figures of a time range or of the last days, including days without payments',
    query: z.strictObject(inDays),
    data: z.object({ list: z.array(day) }),
  },
  'GET /api/v1/statistics/summary': {
    who: statisticsRoles,
    replica: true,
    summary:
      'Get income, refunds, and created and paid payments of a time range or of the last days: in total, and per day, application and asset',
    query: z.strictObject(inDays),
    data: z.object({
      total: day.omit({ date: true }),
      days: z.array(day),
      applications: z.array(day.omit({ date: true }).extend({ appid: z.string(), name: z.string() })),
      assets: z.array(byAsset),
    }),
  },
})

/** Figures for a merchant's server: a key has those of its application. */
export const statisticsKeyRoutes = defineRoutes({
  'GET /api/v1/pay/statistics': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'Get the figures of the application in total, per day and per asset, of a time range or of the last days: at most 366',
      'zh-CN': '查询应用在某段时间或最近若干天的统计，含总计、每日和各资产：最多 366 天',
    },
    docs: { id: 'getStatistics', tag: 'Account', errors: ['parameter_error'] },
    query: z.strictObject({
      start_time: timeRange.start_time.meta(
        describeField({
          en: 'From the day of this time, in Unix seconds; by default 30 days',
          'zh-CN': '创建时间不早于该时间，Unix 秒；统计自该时间所在日开始，默认 30 天',
        }),
      ),
      end_time: timeRange.end_time.meta(
        describeField({
          en: 'Up to the day of this time, in Unix seconds; by default today',
          'zh-CN': '创建时间不晚于该时间，Unix 秒；统计至该时间所在日为止，默认今天',
        }),
      ),
      days: inDays.days,
    }),
    data: z
      .object({
        total: day.omit({ date: true }).meta(describeField({ en: 'All days together', 'zh-CN': '合计' })),
        days: z.array(day).meta(
          describeField({
            en: 'Each day in order, including those without payments',
            'zh-CN': '每日，含没有收款的日期',
          }),
        ),
        assets: z
          .array(byAsset)
          .meta(describeField({ en: 'Assets that were received, largest income first', 'zh-CN': '收到的资产' })),
      })
      .meta({
        id: 'ApplicationStatistics',
        description: 'Figures of an application. Amounts are in USDT unless stated',
      }),
  },
})
