import { setFees } from '../billing/set-fees.ts'
import { resumeQueue } from '../chains/pause-queue.ts'
import { undoDeposit } from '../deposits/undo-deposit.ts'
import { liftHold } from '../identity/alarms/not-me.ts'
import { setLimits, setRiskLevel } from '../onboarding/assess-merchant.ts'
import { agreement, openDecisions } from '../operators/decide-together.ts'
import { resumeWallets } from '../outgoing/wallets.ts'
import { defineConsole } from './context.ts'
import { named } from './merchant-routes.ts'
import {
  readStakes,
  valueOfDeposit,
  valueOfMerchant,
  valueOfQueue,
  valueOfRisk,
  valueOfTerms,
  valueOfWallet,
} from './stakes.ts'

/** What takes two operators above a limit. */
export const decisionHandlers = defineConsole({
  'GET /api/operator/v1/decisions': async ({ deps }) => ({ list: await openDecisions(deps) }),

  'GET /api/operator/v1/stakes': ({ deps, operator, query }) => readStakes(deps, operator, query),

  'POST /api/operator/v1/wallets/:id/resume': async ({ deps, operator, params: { id }, body }) => {
    const call = 'POST /api/operator/v1/wallets/:id/resume'
    const by = { ...body, who: operator.email, value: await valueOfWallet(deps, id) }
    return resumeWallets(deps, id, agreement(deps, { call, object: id, ...by }))
  },

  'POST /api/operator/v1/queues/:id/resume': async ({ deps, operator, params: { id }, body }) => {
    const call = 'POST /api/operator/v1/queues/:id/resume'
    const by = { ...body, who: operator.email, value: await valueOfQueue(deps, id) }
    const { waits } = await resumeQueue(deps, { queue: id, agree: agreement(deps, { call, object: id, ...by }) })
    return { waits }
  },

  'POST /api/operator/v1/deposits/:id/undo': async ({ deps, operator, params: { id }, body }) => {
    const call = 'POST /api/operator/v1/deposits/:id/undo'
    const by = { ...body, who: operator.email, value: await valueOfDeposit(deps, id) }
    return undoDeposit(deps, { depositId: id, agree: agreement(deps, { call, object: id, ...by }) })
  },

  'PUT /api/operator/v1/merchants/:id/risk': async ({ deps, params, body: { reason, ...what }, operator }) => {
    const call = 'PUT /api/operator/v1/merchants/:id/risk'
    const merchant = await named(deps, params.id)
    const who = operator.email
    const value = await valueOfRisk(deps, merchant, what.risk_level)
    const agree = agreement(deps, { call, object: merchant.mchid, what, reason, who, value })
    return setRiskLevel(deps, { merchantId: merchant.id, level: what.risk_level, reason, who, agree })
  },

  'PUT /api/operator/v1/merchants/:id/terms': async ({ deps, params, body: { reason, ...what }, operator }) => {
    const call = 'PUT /api/operator/v1/merchants/:id/terms'
    const merchant = await named(deps, params.id)
    const { fee_bps: payments, withdraw_fee_bps: withdrawals, ...limits } = what
    const who = operator.email
    const value = valueOfTerms(deps, merchant, what)
    const agree = agreement(deps, { call, object: merchant.mchid, what, reason, who, value })
    const answer = await setLimits(deps, { merchantId: merchant.id, limits, who, agree })
    if (!answer.waits) await setFees(deps, { merchantId: merchant.id, payments, withdrawals })
    return answer
  },

  'POST /api/operator/v1/merchants/:id/lift-hold': async ({ deps, params, body, operator }) => {
    const call = 'POST /api/operator/v1/merchants/:id/lift-hold'
    const merchant = await named(deps, params.id)
    const by = { ...body, who: operator.email, value: await valueOfMerchant(deps, merchant.id) }
    const agree = agreement(deps, { call, object: merchant.mchid, ...by })
    return liftHold(deps, { merchantId: merchant.id, agree })
  },
})
