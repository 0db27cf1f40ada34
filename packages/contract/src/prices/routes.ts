import { z } from 'zod'
import { everyRole, moneyRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { booleanText, decimalAmount, optionalText, requiredText } from '../kit/schemas.ts'

const marketItem = z.object({
  id: z.string(),
  token: z.string(),
  logo: z.string(),
  balance: decimalAmount.describe('Price in USDT'),
  p: z.string().describe('24-hour change in percent, with its sign; empty if unknown'),
  check: z.boolean().describe('Whether the merchant follows the token'),
  checked: z.boolean().describe('Same as check'),
})

export const priceRoutes = defineRoutes({
  'GET /api/v1/market/follow/list': {
    who: everyRole,
    summary: 'List the followed tokens, at most 4',
    data: z.object({ list: z.array(marketItem) }),
  },
  'PUT /api/v1/market/follow/token': {
    who: moneyRoles,
    summary: 'Set the followed tokens, at most 4',
    body: z.strictObject({ token: z.array(requiredText(20)).max(4, { error: 'too_many_followed' }) }),
    data: z.object({ list: z.array(marketItem) }),
  },
  'GET /api/v1/market/search': {
    who: everyRole,
    summary: 'Search tokens by part of their name',
    query: z.strictObject({ all: booleanText, name: optionalText(20).optional() }),
    data: z.object({ list: z.array(marketItem) }),
  },
})
