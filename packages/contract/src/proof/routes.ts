import { z } from 'zod'
import { readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { validatedText, withAllowedHint } from '../kit/schemas.ts'

const proofId = withAllowedHint(
  validatedText(value => /^20\d\d-\d\d-\d\d(?:-[1-9]\d?)?$/.test(value), 'parameter_error'),
  { en: 'the id of a proof, such as 2026-11-30', 'zh-CN': '证明编号，例如 2026-11-30' },
)
const units = z.string().describe('Smallest units of the asset, as a decimal text')

const leaf = z.object({
  place: z.int(),
  amount: units,
  salt: z.string(),
  path: z.array(z.object({ hash: z.string(), sum: units })),
})
const merchantProof = z.object({
  format: z.literal('coffer-proof-merchant-1'),
  id: z.string(),
  merchant: z.string(),
  assets: z.array(z.object({ asset: z.string(), balance: units, leaves: z.array(leaf) })),
})

export const proofRoutes = defineRoutes({
  'GET /api/v1/proof': {
    who: readingRoles,
    summary: 'Get the own part of a published proof of liabilities, by default of the newest one: see docs/proof.md',
    query: z.strictObject({ id: proofId.optional() }),
    data: z.object({ proof: merchantProof.nullable().describe('Null while none is published') }),
  },
})
