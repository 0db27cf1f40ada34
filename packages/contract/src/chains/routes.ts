import { z } from 'zod'
import { defineRoutes } from '../kit/route.ts'
import { id, money } from '../kit/schemas.ts'

/** The refusals of a chain that takes no money now. */
export const closedChain = ['chain_unavailable', 'chain_halted'] as const

export const currency = z
  .object({
    id: z.string().describe('ID of the chain'),
    chain: z.string().describe('Name of the chain'),
    net_work: z.string().describe('Name under which payers know the network, such as ERC20'),
    logo: z.string().describe('URL of the logo'),
    confirmations: z.int().describe('Confirmations after which a deposit is final'),
    tokens: z
      .array(
        z.object({
          id: z.string().describe('ID of the asset'),
          token: z.string().describe('Symbol of the token'),
          contract: z.string().describe('Contract address; empty for the native coin'),
          decimals: z.int().describe('Decimal places of the token'),
          logo: z.string().describe('URL of the logo'),
          usdt_price: money.describe('Last known price in USDT; 0 if unknown'),
        }),
      )
      .describe('Tokens accepted on the chain'),
  })
  .meta({ id: 'Currency', description: 'A chain with the tokens accepted on it' })

export const chainRoutes = defineRoutes({
  'GET /api/v1/currency/list': {
    summary: 'List chains with the tokens accepted on them, in the merchant’s order',
    data: z.object({ list: z.array(currency) }),
  },
  'POST /api/v1/currency/rearrange': {
    summary: 'Reorder the chains',
    body: z.strictObject({ ids: z.array(id).min(1).max(100) }),
    data: z.object({ list: z.array(currency) }),
  },
})
