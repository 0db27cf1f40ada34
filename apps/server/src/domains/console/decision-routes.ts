import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { TogetherCall } from '@coffer/contract/operator/decisions.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { setFees } from '../billing/set-fees.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { closeIncident } from '../chains/close-incident.ts'
import { resumeQueue } from '../chains/pause-queue.ts'
import { creditSibling, returnSibling } from '../deposits/decide-sibling.ts'
import { decideToken } from '../deposits/decide-token.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { readDeposit } from '../deposits/store.ts'
import { undoDeposit } from '../deposits/undo-deposit.ts'
import { liftHold } from '../identity/alarms/not-me.ts'
import { setLimits, setRiskLevel } from '../onboarding/assess-merchant.ts'
import { unfreezeMerchant } from '../onboarding/freeze-merchant.ts'
import { makeAgreement, openDecisions } from '../operators/decide-together.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { endTaken } from '../outgoing/settle.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { resumeWallets } from '../outgoing/wallets.ts'
import { refundOwner } from '../refunds/owner.ts'
import { startEmptying } from '../sweeps/empty-wallet.ts'
import { sweepOwner } from '../sweeps/owner.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { defineConsole } from './context.ts'
import { requireMerchant } from './merchant-routes.ts'
import {
  chainStakes,
  emptyingStakes,
  incidentStakes,
  payoutStakes,
  readStakes,
  tokenStakes,
  valueOfDeposit,
  valueOfMerchant,
  valueOfQueue,
  valueOfRisk,
  valueOfTerms,
  valueOfWallet,
  type Worth,
} from './stakes.ts'

interface Asking {
  call: TogetherCall
  deps: Deps
  operator: OperatorSession
  body: { reason: string } & object
}

/**
 * Asks for a second person where the value is above the limit: another body, but for its reason, is another decision.
 */
function agreed({ call, deps, operator, body: { reason, ...what } }: Asking, object: string, { value }: Worth) {
  return makeAgreement(deps, { call, object, what, reason, who: operator.email, value })
}

/** A deposit of a sibling with its amount, which the decision is about: of another amount it is another decision. */
async function ofSibling({ deps, body }: Asking & { body: { amount?: string | undefined } }, id: string) {
  const deposit = await readDeposit(deps.pool, id)
  const stakes = await valueOfDeposit(deps, id)
  const asset = deposit && (await assetsOfChain(deps.pool, deposit.chain_id)).get(deposit.asset_id)
  if (!asset) throw new Refusal('transaction_not_exist')
  const amount = formatDecimal(deposit.amount, asset.decimals)
  if (body.amount !== undefined && body.amount !== amount)
    throw new Refusal('operation_failed', {
      field: 'amount',
      detail: {
        en: `the deposit is of ${amount} ${asset.symbol} now`,
        'zh-CN': `该充值现为 ${amount} ${asset.symbol}`,
      },
    })
  return { amount: deposit.amount, stakes, body: { ...body, amount } }
}

/** What takes two operators above a limit. */
export const decisionHandlers = defineConsole({
  'GET /api/operator/v1/decisions': async ({ deps }) => ({ list: await openDecisions(deps) }),

  'GET /api/operator/v1/stakes': ({ deps, operator, query }) => readStakes(deps, operator, query),

  'POST /api/operator/v1/wallets/:id/resume': async context => {
    const { deps, params } = context
    const value = await valueOfWallet(deps, params.id)
    return resumeWallets(deps, params.id, agreed(context, params.id, value))
  },

  'POST /api/operator/v1/wallets/:id/abandon': async context => {
    const { deps, params, body } = context
    const wallet = await walletOfRole(deps.pool, params.id, 'hot')
    const owners = { withdrawal: withdrawalOwner(deps), refund: refundOwner(deps), sweep: sweepOwner(deps) }
    const id = { chain_id: params.id, from_address: wallet?.address ?? '', nonce: body.nonce }
    const stakes = await payoutStakes(deps, params.id, body.nonce)
    return endTaken(deps, owners, id, agreed(context, params.id, stakes))
  },

  'POST /api/operator/v1/wallets/:id/empty': async context => {
    const { deps, params, body } = context
    const stakes = await emptyingStakes(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    return startEmptying(deps, { chainId: params.id, reason: body.reason, agree })
  },

  'POST /api/operator/v1/queues/:id/resume': async context => {
    const { deps, params } = context
    const value = await valueOfQueue(deps, params.id)
    const agree = agreed(context, params.id, value)
    const { waits } = await resumeQueue(deps, { queue: params.id, agree })
    return { waits }
  },

  'POST /api/operator/v1/chains/:id/resume': async context => {
    const { deps, params } = context
    const stakes = await chainStakes(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    const ancestor = await resumeChain(deps, { chainId: params.id, agree })
    return { waits: !ancestor, number: ancestor?.number ?? 0, hash: ancestor?.hash ?? '' }
  },

  'POST /api/operator/v1/assets/:id/release': async context => {
    const { deps, params } = context
    const stakes = await tokenStakes(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    const { reason } = context.body
    return decideToken(deps, { assetId: params.id, decision: 'release', who: context.operator.email, reason, agree })
  },

  'POST /api/operator/v1/incidents/:id/close': async context => {
    const { deps, params, body, operator } = context
    const stakes = await incidentStakes(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    return closeIncident(deps, { id: params.id, reason: body.reason, who: operator.email, agree })
  },

  'POST /api/operator/v1/deposits/:id/undo': async context => {
    const { deps, params } = context
    const value = await valueOfDeposit(deps, params.id)
    const agree = agreed(context, params.id, value)
    return undoDeposit(deps, { depositId: params.id, agree })
  },

  'POST /api/operator/v1/deposits/:id/credit': async context => {
    const { deps, params } = context
    const { amount, stakes, body } = await ofSibling(context, params.id)
    const agree = agreed({ ...context, body }, params.id, stakes)
    return creditSibling(deps, { depositId: params.id, amount, agree })
  },

  'POST /api/operator/v1/deposits/:id/return': async context => {
    const { deps, params, operator } = context
    const { amount, stakes, body } = await ofSibling(context, params.id)
    const agree = agreed({ ...context, body }, params.id, stakes)
    const { waits, id } = await returnSibling(deps, { depositId: params.id, amount, who: operator.email, agree })
    return { waits, withdrawal: id }
  },

  'PUT /api/operator/v1/merchants/:id/risk': async context => {
    const { deps, params, body, operator } = context
    const merchant = await requireMerchant(deps, params.id)
    const { reason, risk_level: level } = body
    const value = await valueOfRisk(deps, merchant, level)
    const agree = agreed(context, merchant.mchid, value)
    return setRiskLevel(deps, { merchantId: merchant.id, level, reason, who: operator.email, agree })
  },

  'PUT /api/operator/v1/merchants/:id/terms': async context => {
    const { deps, params, body, operator } = context
    const merchant = await requireMerchant(deps, params.id)
    const { reason: _, ...what } = body
    const { fee_bps: payments, withdraw_fee_bps: withdrawals, ...limits } = what
    const agree = agreed(context, merchant.mchid, valueOfTerms(deps, merchant, what))
    const answer = await setLimits(deps, { merchantId: merchant.id, limits, who: operator.email, agree })
    if (!answer.waits) await setFees(deps, { merchantId: merchant.id, payments, withdrawals })
    return answer
  },

  'POST /api/operator/v1/merchants/:id/lift-hold': async context => {
    const { deps, params } = context
    const merchant = await requireMerchant(deps, params.id)
    const value = await valueOfMerchant(deps, merchant.id)
    const agree = agreed(context, merchant.mchid, value)
    return liftHold(deps, { merchantId: merchant.id, agree })
  },

  'POST /api/operator/v1/merchants/:id/unfreeze': async context => {
    const { deps, params, body, operator } = context
    const merchant = await requireMerchant(deps, params.id)
    const value = await valueOfMerchant(deps, merchant.id)
    const agree = agreed(context, merchant.mchid, value)
    return unfreezeMerchant(deps, { merchantId: merchant.id, who: operator.email, reason: body.reason, agree })
  },
})
