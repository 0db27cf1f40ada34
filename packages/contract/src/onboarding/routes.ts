import { z } from 'zod'
import { ownerRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  areaCode,
  emptyObject,
  optionalText,
  phone,
  proof,
  requiredLine,
  timeZone,
  urlOrEmpty,
} from '../kit/schemas.ts'

const address = z.strictObject({ street: optionalText(200), city: optionalText(100), country: optionalText(100) })
const socials = z.strictObject({ telegram: optionalText(100), twitter: optionalText(100), facebook: optionalText(100) })

export const merchantProfile = {
  name: requiredLine(64),
  time_zone: timeZone,
  address,
  socials,
  website: urlOrEmpty,
}

export const onboardingRoutes = defineRoutes({
  'PUT /api/v1/user/edit': {
    who: ownerRoles,
    summary: 'Edit the merchant profile; an approved merchant’s new name needs a fresh proof',
    body: z.strictObject({ ...merchantProfile, proof }).partial(),
    data: emptyObject,
  },
  'POST /api/v1/user/opening': {
    who: ownerRoles,
    summary: 'Apply for merchant permission; the account is then under review',
    body: z.strictObject({ ...merchantProfile, phone, area_code: areaCode }),
    data: z.object({ status: z.int() }),
  },
  'GET /api/v1/user/closing': {
    who: ownerRoles,
    summary:
      'Get what stands in the way of closing the account: a balance, deposits without confirmations, payments in progress, or another owner',
    data: z.object({
      blocked_by: z.array(z.enum(['balance', 'deposits', 'payments', 'owners'])),
      dust: z
        .array(z.object({ token: z.string(), chain: z.string(), amount: z.string() }))
        .describe('What is worth less than 1 USDT and cannot be withdrawn; `forfeit` gives it up'),
    }),
  },
  'DELETE /api/v1/user': {
    who: ownerRoles,
    summary: 'Close the account; refused while it holds funds',
    body: z.strictObject({
      proof,
      forfeit: z.boolean().optional().describe('Whether to give up balances too small to be withdrawn'),
    }),
    data: emptyObject,
  },
})
