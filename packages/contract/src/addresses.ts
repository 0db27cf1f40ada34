import { z } from 'zod'
import { defineRoutes } from './route.ts'
import { id, listOf, money, paging, unixSeconds } from './schemas.ts'

export const addressRoutes = defineRoutes({
  'GET /api/v1/account/recharge': {
    auth: 'token',
    summary: 'List the fixed deposit addresses of the merchant, with the amount received at each',
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
    summary: 'Get the fixed deposit address of the merchant on a chain; created on the first call',
    body: z.strictObject({ currency_id: id }),
    data: z.object({
      id: z.string(),
      currency_id: z.string(),
      chain: z.string(),
      net_work: z.string(),
      address: z.string(),
    }),
  },
})
