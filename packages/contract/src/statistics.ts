import { z } from 'zod'
import { defineRoutes } from './route.ts'
import { flag, id, money, timeRange } from './schemas.ts'

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

export const statisticsRoutes = defineRoutes({
  'GET /api/v1/statistics/assets': {
    auth: 'token',
    summary: 'List balances per token and chain. Includes zero balances only with `all`.',
    query: z.strictObject({ all: flag }),
    data: z.object({ list: z.array(assetRow), total_value: money }),
  },
  'GET /api/v1/statistics/overview': {
    auth: 'token',
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
    auth: 'token',
    summary: 'Get daily figures from start_time to end_time, including days without payments',
    query: z.strictObject({ ...timeRange, appid: id.optional() }),
    data: z.object({ list: z.array(day) }),
  },
  'GET /api/v1/statistics/summary': {
    auth: 'token',
    summary:
      'Get income, refunds, and created and paid payments in a time range: in total, and per day, application and asset',
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
