import { z } from 'zod'
import { refundingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { id, requiredText } from '../kit/schemas.ts'

export const destinationRoutes = defineRoutes({
  'GET /api/v1/account/address-valid': {
    who: refundingRoles,
    summary: 'Check a destination: its form, and everything known about it. Returns it in display form',
    query: z.strictObject({
      currency_id: id,
      address: requiredText(128),
      token_id: id.optional().describe('Asset to be paid, whose issuer may refuse the address'),
    }),
    data: z.object({
      valid: z.boolean().describe('Whether no check fails'),
      address: z.string(),
      checks: z.array(
        z.object({
          check: z
            .enum([
              'form',
              'token_contract',
              'lost',
              'ours',
              'issuer',
              'sanctions',
              'look_alike',
              'code',
              'first_payment',
            ])
            .describe(
              'form: also its checksum; lost: a burn address, the zero address, a precompiled contract or one of Coffer’s; ours: an address of this platform; issuer: its list of refused addresses; sanctions: the operator’s list; code: a contract',
            ),
          result: z.enum(['pass', 'warn', 'fail', 'unknown']),
          similar: z
            .object({
              address: z.string(),
              from: z.int().describe('Index of the first differing character'),
              to: z.int().describe('Index behind the last one'),
            })
            .nullable()
            .describe('Of look_alike: a known address that this one could be mistaken for'),
        }),
      ),
    }),
  },
})
