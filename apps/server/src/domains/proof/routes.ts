import { defineHandlers } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readMerchantProof } from './merchant-proof.ts'

export const proofHandlers = defineHandlers({
  'GET /api/v1/proof': async ({ deps, session, query: { id } }) => {
    const proof = await readMerchantProof(deps, session.merchantId, id ?? null)
    // One that is named must exist.
    if (!proof && id !== undefined) throw new Refusal('not_found', { field: 'id' })
    return { proof }
  },
})
