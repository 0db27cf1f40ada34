import { z } from 'zod'
import { moneyRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { decimalAmount, emptyObject, id } from '../kit/schemas.ts'

export const sweepRoutes = defineRoutes({
  'GET /api/v1/account/sweep': {
    who: readingRoles,
    summary: 'List what could be collected from deposit addresses now, by network, with its gas',
    data: z.object({
      list: z.array(
        z.object({
          network_id: z.string(),
          chain: z.string(),
          net_work: z.string(),
          logo: z.string(),
          open: z.boolean().describe('Whether deposits are collected on this network now'),
          requested: z.boolean().describe('Whether a collection has been requested and is under way'),
          tokens: z.array(z.object({ token: z.string(), logo: z.string(), amount: decimalAmount, addresses: z.int() })),
          usdt_value: decimalAmount.describe('Value of these amounts in USDT'),
          small: z.int().describe('Addresses that are left out, because they hold less than their gas costs'),
          gas: decimalAmount.describe('Gas that the collection is expected to take, in `gas_token`'),
          gas_token: z.string(),
          gas_usdt: decimalAmount.describe('Value of that gas in USDT; empty without a price'),
        }),
      ),
    }),
  },
  'POST /api/v1/account/sweep': {
    who: moneyRoles,
    summary: 'Aggregate the deposits of a network now',
    body: z.strictObject({ network_id: id }),
    data: emptyObject,
  },
})
