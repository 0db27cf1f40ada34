import { z } from 'zod'
import { defineRoutes } from './route.ts'
import { id, money } from './schemas.ts'

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
  .meta({ id: 'Currency', description: 'A chain with the tokens accepted on it' })

export const chainRoutes = defineRoutes({
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
