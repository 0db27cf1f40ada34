import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import { pickMerchantTerms } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readChainAssets } from '../chains/assets.ts'
import { closeIncident } from '../chains/close-incident.ts'
import { resumeQueue } from '../chains/pause-queue.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from '../deposits/decide-sibling.ts'
import { decideTokenHold } from '../deposits/decide-token-hold.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { readDeposit } from '../deposits/store.ts'
import { undoDeposit } from '../deposits/undo-deposit.ts'
import { liftWithdrawalHold } from '../identity/alarms/not-me.ts'
import { changeMerchantTerms } from '../onboarding/change-merchant-terms.ts'
import { unfreezeMerchant } from '../onboarding/freeze-merchant.ts'
import { setRiskLevel } from '../onboarding/set-risk-level.ts'
import { createDualApprovalCheck, listOpenDecisions } from '../operators/decide-together.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { endNonceTakenTransaction } from '../outgoing/settle.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { resumeWallets } from '../outgoing/wallets.ts'
import { refundOwner } from '../refunds/owner.ts'
import { startEmptyingHotWallet } from '../sweeps/empty-wallet.ts'
import { sweepOwner } from '../sweeps/owner.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { defineConsoleHandlers } from './context.ts'
import { requireMerchant } from './merchant-routes.ts'
import {
  computeTermsChangeValue,
  readChainResumeImpact,
  readDecisionImpact,
  readDepositValue,
  readIncidentCloseImpact,
  readMerchantValue,
  readNonceAbandonImpact,
  readQueueValue,
  readRiskChangeValue,
  readTokenReleaseImpact,
  readWalletEmptyingImpact,
  readWalletValue,
  type UsdtValuation,
} from './stakes.ts'

interface Asking {
  call: TwoOperatorCall
  deps: Deps
  operator: OperatorSession
  body: { reason: string } & object
}

/**
 * Asks for a second person where the value is above the limit: another body, but for its reason, is another decision.
 */
function agreed({ call, deps, operator, body: { reason, ...what } }: Asking, object: string, { value }: UsdtValuation) {
  return createDualApprovalCheck(deps, { call, object, what, reason, who: operator.email, value })
}

/** A deposit of a sibling with its amount, which the decision is about: of another amount it is another decision. */
async function ofSibling({ deps, body }: Asking & { body: { amount?: string | undefined } }, id: string) {
  const deposit = await readDeposit(deps.pool, id)
  const stakes = await readDepositValue(deps, id)
  const asset = deposit && (await readChainAssets(deps.pool, deposit.chain_id)).get(deposit.asset_id)
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
export const decisionHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/decisions': async ({ deps }) => ({ list: await listOpenDecisions(deps) }),

  'GET /api/operator/v1/stakes': ({ deps, operator, query }) => readDecisionImpact(deps, operator, query),

  'POST /api/operator/v1/wallets/:id/resume': async context => {
    const { deps, params } = context
    const value = await readWalletValue(deps, params.id)
    return resumeWallets(deps, params.id, agreed(context, params.id, value))
  },

  'POST /api/operator/v1/wallets/:id/abandon': async context => {
    const { deps, params, body } = context
    const wallet = await walletOfRole(deps.pool, params.id, 'hot')
    const owners = { withdrawal: withdrawalOwner(deps), refund: refundOwner(deps), sweep: sweepOwner(deps) }
    const id = { chain_id: params.id, from_address: wallet?.address ?? '', nonce: body.nonce }
    const stakes = await readNonceAbandonImpact(deps, params.id, body.nonce)
    return endNonceTakenTransaction(deps, owners, id, agreed(context, params.id, stakes))
  },

  'POST /api/operator/v1/wallets/:id/empty': async context => {
    const { deps, params, body } = context
    const stakes = await readWalletEmptyingImpact(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    return startEmptyingHotWallet(deps, { chainId: params.id, reason: body.reason, agree })
  },

  'POST /api/operator/v1/queues/:id/resume': async context => {
    const { deps, params } = context
    const value = await readQueueValue(deps, params.id)
    const agree = agreed(context, params.id, value)
    const { waits } = await resumeQueue(deps, { queue: params.id, agree })
    return { waits }
  },

  'POST /api/operator/v1/chains/:id/resume': async context => {
    const { deps, params } = context
    const stakes = await readChainResumeImpact(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    const ancestor = await resumeChain(deps, { chainId: params.id, agree })
    return { waits: !ancestor, number: ancestor?.number ?? 0, hash: ancestor?.hash ?? '' }
  },

  'POST /api/operator/v1/assets/:id/release': async context => {
    const { deps, params } = context
    const stakes = await readTokenReleaseImpact(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    const { reason } = context.body
    return decideTokenHold(deps, {
      assetId: params.id,
      decision: 'release',
      who: context.operator.email,
      reason,
      agree,
    })
  },

  'POST /api/operator/v1/incidents/:id/close': async context => {
    const { deps, params, body, operator } = context
    const stakes = await readIncidentCloseImpact(deps, params.id)
    const agree = agreed(context, params.id, stakes)
    return closeIncident(deps, { id: params.id, reason: body.reason, who: operator.email, agree })
  },

  'POST /api/operator/v1/deposits/:id/undo': async context => {
    const { deps, params } = context
    const value = await readDepositValue(deps, params.id)
    const agree = agreed(context, params.id, value)
    return undoDeposit(deps, { depositId: params.id, agree })
  },

  'POST /api/operator/v1/deposits/:id/credit': async context => {
    const { deps, params } = context
    const { amount, stakes, body } = await ofSibling(context, params.id)
    const agree = agreed({ ...context, body }, params.id, stakes)
    return creditSiblingDeposit(deps, { depositId: params.id, amount, agree })
  },

  'POST /api/operator/v1/deposits/:id/return': async context => {
    const { deps, params, operator } = context
    const { amount, stakes, body } = await ofSibling(context, params.id)
    const agree = agreed({ ...context, body }, params.id, stakes)
    const { waits, id } = await returnSiblingDeposit(deps, { depositId: params.id, amount, who: operator.email, agree })
    return { waits, withdrawal: id }
  },

  'PUT /api/operator/v1/merchants/:id/risk': async context => {
    const { deps, params, body, operator } = context
    const merchant = await requireMerchant(deps, params.id)
    const { reason, risk_level: level } = body
    const value = await readRiskChangeValue(deps, merchant, level)
    const agree = agreed(context, merchant.mchid, value)
    return setRiskLevel(deps, { merchantId: merchant.id, level, reason, who: operator.email, agree })
  },

  'PUT /api/operator/v1/merchants/:id/terms': async context => {
    const { deps, params, body, operator } = context
    const merchant = await requireMerchant(deps, params.id)
    const terms = pickMerchantTerms(body)
    const agree = agreed(context, merchant.mchid, computeTermsChangeValue(deps, merchant, terms))
    return changeMerchantTerms(deps, { merchantId: merchant.id, terms, who: operator.email, agree })
  },

  'POST /api/operator/v1/merchants/:id/lift-hold': async context => {
    const { deps, params } = context
    const merchant = await requireMerchant(deps, params.id)
    const value = await readMerchantValue(deps, merchant.id)
    const agree = agreed(context, merchant.mchid, value)
    return liftWithdrawalHold(deps, { merchantId: merchant.id, agree })
  },

  'POST /api/operator/v1/merchants/:id/unfreeze': async context => {
    const { deps, params, body, operator } = context
    const merchant = await requireMerchant(deps, params.id)
    const value = await readMerchantValue(deps, merchant.id)
    const agree = agreed(context, merchant.mchid, value)
    return unfreezeMerchant(deps, { merchantId: merchant.id, who: operator.email, reason: body.reason, agree })
  },
})
