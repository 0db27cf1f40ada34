import { z } from 'zod'
import { fundFlowTypes } from './codes.ts'
import { defineRoutes } from './route.ts'
import { id, listOf, money, paging, timeRange, unixSeconds } from './schemas.ts'

export const fundFlowRoutes = defineRoutes({
  'GET /api/v1/account/stream': {
    auth: 'token',
    summary: 'List the fund flow: every change of the merchant’s balances, newest first',
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
        balance: money.describe('Available balance after this entry'),
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
    summary: 'List gas fees of fund aggregation, newest first',
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
