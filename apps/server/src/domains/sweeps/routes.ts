import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { readCollectables, requestCollection } from './collect.ts'

/** Fund aggregation, as its merchant sees and requests it. */
export const sweepHandlers = defineHandlers({
  'GET /api/v1/account/sweep': async ({ deps, session: { merchantId } }) => ({
    list: await readCollectables(deps, merchantId),
  }),

  'POST /api/v1/account/sweep': context => {
    const { deps, session, body } = context
    return toEmptyAnswer(
      requestCollection(deps, { merchantId: session.merchantId, chainId: body.network_id, from: context }),
    )
  },
})
