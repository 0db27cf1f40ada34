import { z } from 'zod'
import { defineRoutes } from './route.ts'
import { flag, id, money, timeRange } from './schemas.ts'

const assetRow = z.object({
  id: z.string().describe('Of the asset'),
  token: z.string(),
  chain: z.string(),
  balance: money,
  held: money.describe('Reserved by withdrawals and refunds under way'),
  usdt_balance: money,
  logo: z.string(),
  currency_id: z.string(),
})

const day = z.object({
  date: z.string().describe('YYYY-MM-DD in the time zone of the merchant'),
  income: money,
  refund: money,
  create_num: z.int(),
  pay_num: z.int(),
})

export const statisticsRoutes = defineRoutes({
  'GET /api/v1/statistics/assets': {
    auth: 'token',
    summary: 'Balances per token and chain. Without `all` only those that are not zero.',
    query: z.strictObject({ all: flag }),
    data: z.object({ list: z.array(assetRow), total_value: money }),
  },
  'GET /api/v1/statistics/overview': {
    auth: 'token',
    summary: 'The figures at the top of the dashboard, in USDT',
    data: z.object({
      income: money,
      sure_withdrawal: money,
      transaction_volume: money,
      cumulative_withdrawal: money,
      frozen_amount: money.describe('Shown as cumulative income, and holds it'),
      operable_balance: money.describe('What can be withdrawn now'),
      total_assets: money,
      today_amount: money,
    }),
  },
  'GET /api/v1/statistics/daily-collection': {
    auth: 'token',
    summary: 'One point a day from start_time to end_time, days without payments included',
    query: z.strictObject({ ...timeRange, appid: id.optional() }),
    data: z.object({ list: z.array(day) }),
  },
  'GET /api/v1/statistics/summary': {
    auth: 'token',
    summary:
      'Income, refunds, created and paid of a time range: in total, per day, per application, per token and chain',
    query: z.strictObject({ ...timeRange, appid: id.optional() }),
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
