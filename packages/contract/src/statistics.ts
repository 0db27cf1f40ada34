import { z } from 'zod'
import { limits } from './limits.ts'
import { defineRoutes } from './route.ts'
import { flag, id, money, timeRange, wholeText } from './schemas.ts'

const assetRow = z.object({
  id: z.string().describe('ID of the asset'),
  token: z.string(),
  chain: z.string(),
  balance: money,
  held: money.describe('Amount reserved for withdrawals and refunds in progress'),
  usdt_balance: money,
  logo: z.string(),
  currency_id: z.string(),
})

const day = z.object({
  date: z.string().describe('YYYY-MM-DD in the merchant’s time zone'),
  income: money,
  refund: money,
  create_num: z.int(),
  pay_num: z.int(),
})

/** Days in the merchant's time zone: those of a time range, or the last ones, for which a client need not know the zone. */
const inDays = {
  ...timeRange,
  days: wholeText(1, limits.statisticsDaysMax)
    .optional()
    .describe('The last days up to today, instead of a time range'),
  appid: id.optional(),
}

export const statisticsRoutes = defineRoutes({
  'GET /api/v1/statistics/assets': {
    summary: 'List balances per token and chain. Includes zero balances only with `all`.',
    query: z.strictObject({ all: flag }),
    data: z.object({ list: z.array(assetRow), total_value: money }),
  },
  'GET /api/v1/statistics/overview': {
    summary: 'Get the key figures of the dashboard, in USDT',
    data: z.object({
      income: money,
      sure_withdrawal: money,
      transaction_volume: money,
      cumulative_withdrawal: money,
      frozen_amount: money.describe('Cumulative income, despite its name'),
      operable_balance: money.describe('Amount available for withdrawal'),
      total_assets: money,
      today_amount: money,
    }),
  },
  'GET /api/v1/statistics/daily-collection': {
    summary: 'Get daily figures of a time range or of the last days, including days without payments',
    query: z.strictObject(inDays),
    data: z.object({ list: z.array(day) }),
  },
  'GET /api/v1/statistics/summary': {
    summary:
      'Get income, refunds, and created and paid payments of a time range or of the last days: in total, and per day, application and asset',
    query: z.strictObject(inDays),
    data: z.object({
      total: day.omit({ date: true }),
      days: z.array(day),
      applications: z.array(day.omit({ date: true }).extend({ appid: z.string(), name: z.string() })),
      assets: z.array(
        z.object({
          token: z.string(),
          chain: z.string(),
          logo: z.string(),
          income: money,
          amount: money,
          pay_num: z.int(),
        }),
      ),
    }),
  },
})
