import { z } from 'zod'
import { fundFlowTypes } from '../codes.ts'
import { defineRoutes } from '../route.ts'
import { flag, id, listOf, money, optionalText, paging, required, timeRange, unixSeconds } from '../schemas.ts'

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

export const currency = z
  .object({
    id: z.string().describe('Of the chain'),
    chain: z.string().describe('Its name'),
    net_work: z.string().describe('The token standard by which payers know it'),
    logo: z.string(),
    confirmations: z.int().describe('Blocks after which a deposit is final'),
    tokens: z.array(
      z.object({
        id: z.string().describe('Of the asset'),
        token: z.string(),
        contract: z.string().describe('Empty for the native coin'),
        decimals: z.int(),
        logo: z.string(),
        usdt_price: money.describe('Last known; 0 when there is none'),
      }),
    ),
  })
  .meta({ id: 'Currency' })

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

export const currencyRoutes = defineRoutes({
  'GET /api/v1/currency/list': {
    auth: 'token',
    summary: 'Chains with the tokens accepted on them, in the order of the merchant',
    data: z.object({ list: z.array(currency) }),
  },
  'POST /api/v1/currency/rearrange': {
    auth: 'token',
    submission: true,
    summary: 'Put the chains in another order',
    body: z.strictObject({ ids: z.array(id).min(1).max(100) }),
    data: z.object({ list: z.array(currency) }),
  },
})

export const accountRoutes = defineRoutes({
  'GET /api/v1/account/address-valid': {
    auth: 'token',
    summary: 'Whether an address is one of the chain, and how it is written there',
    query: z.strictObject({ currency_id: id, address: required(128) }),
    data: z.object({ valid: z.boolean(), address: z.string() }),
  },
  'GET /api/v1/account/recharge': {
    auth: 'token',
    summary: 'Fixed addresses of the merchant, to bring money in without a payment, with what came to each',
    query: z.strictObject(paging),
    data: listOf(
      z.object({
        id: z.string(),
        currency_id: z.string(),
        chain: z.string(),
        net_work: z.string(),
        address: z.string(),
        tokens: z.array(z.string()),
        received_usdt: money,
        created_time: unixSeconds,
      }),
    ),
  },
  'POST /api/v1/account/recharge/funds': {
    auth: 'token',
    submission: true,
    summary: 'The fixed address of the merchant on a chain; made on the first call',
    body: z.strictObject({ currency_id: id }),
    data: z.object({
      id: z.string(),
      currency_id: z.string(),
      chain: z.string(),
      net_work: z.string(),
      address: z.string(),
    }),
  },
  'GET /api/v1/account/stream': {
    auth: 'token',
    summary: 'Fund flow: every movement of the merchant’s balance, newest first',
    query: z.strictObject({
      ...paging,
      ...timeRange,
      type: z.enum(fundFlowTypes).optional(),
      network_id: id.optional(),
      token_id: id.optional(),
    }),
    data: listOf(
      z.object({
        id: z.string().describe('Serial number'),
        type: z.enum(fundFlowTypes),
        direction: z.enum(['in', 'out']),
        token: z.string(),
        chain: z.string(),
        amount: money,
        balance: money.describe('Available balance after it'),
        from_address: z.string(),
        to_address: z.string(),
        trade_no: z.string(),
        txid: z.string(),
        created_time: unixSeconds,
      }),
    ),
  },
  'GET /api/v1/account/expend': {
    auth: 'token',
    summary: 'Gas expenses of fund aggregation, newest first',
    query: z.strictObject({
      page: paging.current,
      pageSize: paging.pageSize,
      ...timeRange,
      network_id: id.optional(),
      token_id: id.optional(),
    }),
    data: listOf(
      z.object({
        id: z.string(),
        currency: z.object({ token: z.string(), logo: z.string(), chain: z.string() }),
        amount: money,
        txid: z.string(),
        browser_url: z.string(),
        created_time: unixSeconds,
      }),
    ),
  },
})

const notification = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  status: z.int().describe('1 read, 2 unread'),
  types: z.int().describe('1 announcement, 2 login notice, 3 payment, 4 account, 5 fund aggregation'),
  created_time: unixSeconds,
  ip: z.string().optional(),
  device: z.string().optional(),
  address: z.string().optional(),
  amount: money.optional(),
  currency: z.object({ token: z.string(), logo: z.string(), chain: z.string() }).optional(),
  trade_no: z.string().optional(),
})

export const messageRoutes = defineRoutes({
  'GET /api/v1/message': {
    auth: 'token',
    summary: 'Notifications, newest first',
    query: z.strictObject({
      ...paging,
      all: flag,
      read: z.coerce.number().int().min(1).max(2).optional(),
      types: z.coerce.number().int().min(1).max(5).optional(),
    }),
    data: listOf(notification).extend({ unread: z.int() }),
  },
  'PUT /api/v1/message/read': {
    auth: 'token',
    submission: true,
    summary: 'Mark notifications as read; -1 means all',
    body: z.strictObject({
      message_ids: z
        .array(z.union([id, z.literal(-1)]))
        .min(1)
        .max(1000),
    }),
    data: z.object({ unread: z.int() }),
  },
})

const marketItem = z.object({
  id: z.string(),
  token: z.string(),
  logo: z.string(),
  balance: money.describe('Price in USDT'),
  p: z.string().describe('Change within 24 hours in percent, with its sign; empty when unknown'),
  check: z.boolean().describe('Followed by the merchant'),
  checked: z.boolean().describe('Same as check'),
})

export const marketRoutes = defineRoutes({
  'GET /api/v1/market/follow/list': {
    auth: 'token',
    summary: 'The followed tokens, at most 4',
    data: z.object({ list: z.array(marketItem) }),
  },
  'PUT /api/v1/market/follow/token': {
    auth: 'token',
    submission: true,
    summary: 'Set the followed tokens, at most 4',
    body: z.strictObject({ token: z.array(required(20)).max(4, { error: 'too_many_followed' }) }),
    data: z.object({ list: z.array(marketItem) }),
  },
  'GET /api/v1/market/search': {
    auth: 'token',
    summary: 'Tokens by part of their name',
    query: z.strictObject({ all: flag, name: optionalText(20).optional() }),
    data: z.object({ list: z.array(marketItem) }),
  },
})
