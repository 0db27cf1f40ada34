import { chainAdapters } from '@coffer/chains'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import type { OperatorData, OperatorParsed } from '@coffer/contract/operator/index.ts'
import { findLargestRaisedLimit, type OwnMerchantTerms, pickMerchantTerms, valueDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { formatOptionalUsdtValue, usdtValueText } from '../../kit/amounts.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type ActingOperator, type AgreementCheck, hasSecondPerson } from '../../kit/second-person.ts'
import { readChainAssets } from '../chains/assets.ts'
import { closeIncident } from '../chains/close-incident.ts'
import { readQueuePause, resumeQueue } from '../chains/pause-queue.ts'
import { readChain, readShortageStop } from '../chains/store.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from '../deposits/decide-sibling.ts'
import { decideTokenHold } from '../deposits/decide-token-hold.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { readDeposit } from '../deposits/store.ts'
import { undoDeposit } from '../deposits/undo-deposit.ts'
import { liftWithdrawalHold } from '../identity/alarms/not-me.ts'
import { type Merchant, merchantById } from '../merchants/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'
import { changeMerchantTerms } from '../onboarding/change-merchant-terms.ts'
import { unfreezeMerchant } from '../onboarding/freeze-merchant.ts'
import { readMerchantFile } from '../onboarding/merchant-file.ts'
import { setRiskLevel } from '../onboarding/set-risk-level.ts'
import { listOpenDecisions, parseDualApprovalThreshold } from '../operators/decide-together.ts'
import { endNonceTakenTransaction } from '../outgoing/settle.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { resumeWallets } from '../outgoing/wallets.ts'
import { refundOwner } from '../refunds/owner.ts'
import { startEmptyingHotWallet } from '../sweeps/empty-wallet.ts'
import { sweepOwner } from '../sweeps/owner.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import type { ConsoleContext } from './context.ts'
import { requireMerchant } from './merchant-routes.ts'
import {
  known,
  nothing,
  readChainResumeImpact,
  readDepositValue,
  readIncidentCloseImpact,
  readMerchantValue,
  readNonceAbandonImpact,
  readQueueValue,
  readTokenReleaseImpact,
  readWalletEmptyingImpact,
  readWalletValue,
  type UsdtValuation,
  unitsIn,
  worth,
} from './stakes.ts'

type Stakes = OperatorData<'GET /api/operator/v1/stakes'>

/** What depends on a call, and what else the decision names. */
export interface Impact extends UsdtValuation {
  facts?: Stakes['facts']
  /** The number of what it is about as it is stored: the call finds it by another spelling, too. */
  object?: string
  /** What it is about besides the body. */
  what?: object
  /** The amount of a deposit, in base units. */
  units?: bigint
}

interface Decision<K extends TwoOperatorCall> {
  /** Reads what depends on the call, for its dialog without the body. */
  impact(deps: Deps, id: string, body?: Partial<OperatorParsed<K, 'body'>>): Promise<Impact>
  /** Reads what the dialog shows besides. */
  shown?(deps: Deps, id: string): Promise<Partial<Pick<Stakes, 'stopped' | 'deposit'>>>
  /** Does what was decided: `agree` asks for the second person within the transaction, before anything changes. */
  act(context: ConsoleContext<K>, agree: AgreementCheck, impact: Impact): Promise<OperatorData<K>>
}

const showWalletStop = async ({ pool }: Deps, id: string) => ({
  stopped: (await walletOfRole(pool, id, 'hot'))?.halted ?? '',
})

async function showDeposit(deps: Deps, id: string): Promise<Pick<Stakes, 'deposit'>> {
  const found = await readDeposit(deps.pool, id)
  if (!found) throw new Refusal('transaction_not_exist')
  const asset = found.asset_id ? (await readChainAssets(deps.pool, found.chain_id)).get(found.asset_id) : undefined
  const merchant = await merchantById(deps.pool, found.merchant_id)
  const definition = deps.chains.get(found.chain_id)?.definition
  const deposit = {
    mchid: merchant?.mchid ?? '',
    merchant: merchant?.name ?? '',
    trade_no: found.trade_no ?? '',
    amount: asset ? formatDecimal(found.amount, asset.decimals) : '',
    token: asset?.symbol ?? '',
    chain: definition?.name ?? found.chain_id,
    txid: definition ? chainAdapters[definition.kind].showTxid(found.txid) : found.txid,
    block: found.block_number ?? 0,
  }
  return { deposit }
}

/**
 * A deposit of a sibling with its amount, which the decision is about: of another amount it is another decision. Throws
 * Refusal('operation_failed') where another amount was shown.
 */
async function readSiblingImpact(deps: Deps, id: string, shown: { amount?: string | undefined } = {}): Promise<Impact> {
  const deposit = await readDeposit(deps.pool, id)
  const asset = deposit && (await readChainAssets(deps.pool, deposit.chain_id)).get(deposit.asset_id)
  if (!asset) throw new Refusal('transaction_not_exist')
  const amount = formatDecimal(deposit.amount, asset.decimals)
  if (shown.amount !== undefined && shown.amount !== amount)
    throw new Refusal('operation_failed', {
      field: 'amount',
      detail: {
        en: `the deposit is of ${amount} ${asset.symbol} now`,
        'zh-CN': `该充值现为 ${amount} ${asset.symbol}`,
      },
    })
  return { ...(await worth(deps, [unitsIn(asset, deposit.amount)])), what: { amount }, units: deposit.amount }
}

async function readMerchantImpact(deps: Deps, id: string): Promise<Impact> {
  const merchant = await requireMerchant(deps, id)
  return { ...(await readMerchantValue(deps, merchant.id)), object: merchant.mchid }
}

const ranks = { fail: 3, abnormal: 3, '': 2, pass: 1, excellent: 0 }

/** A new risk level: the merchant's balances when it is lower than before, or not chosen yet. */
async function readRiskImpact(deps: Deps, id: string, level?: keyof typeof ranks): Promise<Impact> {
  const merchant: Merchant = await requireMerchant(deps, id)
  const isLower = level === undefined || ranks[level] < ranks[merchant.risk_level as keyof typeof ranks]
  return { ...(isLower ? await readMerchantValue(deps, merchant.id) : nothing), object: merchant.mchid }
}

/**
 * New terms: the largest limit that they raise, as what may leave by it; until they are chosen all that the merchant
 * has.
 */
async function readTermsImpact(deps: Deps, id: string, after?: OwnMerchantTerms): Promise<Impact> {
  if (!after) return readMerchantImpact(deps, id)
  const merchant = await requireMerchant(deps, id)
  const most = findLargestRaisedLimit(getMerchantTerms(deps, merchant), getMerchantTerms(deps, after))
  return { ...known(parseDecimal(String(most), valueDecimals)!), object: merchant.mchid }
}

/** Each call that two operators decide above a limit: what depends on it, and what its dialog shows. */
export const decisions: { [K in TwoOperatorCall]: Decision<K> } = {
  'POST /api/operator/v1/wallets/:id/resume': {
    impact: readWalletValue,
    shown: showWalletStop,
    act: ({ deps, params }, agree) => resumeWallets(deps, params.id, agree),
  },
  'POST /api/operator/v1/wallets/:id/abandon': {
    impact: (deps, id, { nonce = -1 } = {}) => readNonceAbandonImpact(deps, id, nonce),
    shown: showWalletStop,
    act: async ({ deps, params, body }, agree) => {
      const wallet = await walletOfRole(deps.pool, params.id, 'hot')
      const owners = { withdrawal: withdrawalOwner(deps), refund: refundOwner(deps), sweep: sweepOwner(deps) }
      const id = { chain_id: params.id, from_address: wallet?.address ?? '', nonce: body.nonce }
      return endNonceTakenTransaction(deps, owners, id, agree)
    },
  },
  'POST /api/operator/v1/wallets/:id/empty': {
    impact: readWalletEmptyingImpact,
    shown: showWalletStop,
    act: ({ deps, params, body }, agree) =>
      startEmptyingHotWallet(deps, { chainId: params.id, reason: body.reason, agree }),
  },
  'POST /api/operator/v1/queues/:id/resume': {
    impact: readQueueValue,
    async shown({ pool }, id) {
      const stop = (await readShortageStop(pool)) ?? (id === 'withdrawals' ? await readQueuePause(pool, id) : undefined)
      return { stopped: stop?.reason ?? '' }
    },
    act: async ({ deps, params }, agree) => {
      const { waits } = await resumeQueue(deps, { queue: params.id, agree })
      return { waits }
    },
  },
  'POST /api/operator/v1/chains/:id/resume': {
    impact: readChainResumeImpact,
    shown: async ({ pool }, id) => ({ stopped: (await readChain(pool, id))?.halted ?? '' }),
    act: async ({ deps, params }, agree) => {
      const ancestor = await resumeChain(deps, { chainId: params.id, agree })
      return { waits: !ancestor, number: ancestor?.number ?? 0, hash: ancestor?.hash ?? '' }
    },
  },
  'POST /api/operator/v1/assets/:id/release': {
    impact: readTokenReleaseImpact,
    act: ({ deps, params, body, operator }, agree) =>
      decideTokenHold(deps, {
        assetId: params.id,
        decision: 'release',
        who: operator.email,
        reason: body.reason,
        agree,
      }),
  },
  'POST /api/operator/v1/incidents/:id/close': {
    impact: readIncidentCloseImpact,
    act: ({ deps, params, body, operator }, agree) =>
      closeIncident(deps, { id: params.id, reason: body.reason, who: operator.email, agree }),
  },
  'POST /api/operator/v1/deposits/:id/undo': {
    impact: readDepositValue,
    shown: showDeposit,
    act: ({ deps, params }, agree) => undoDeposit(deps, { depositId: params.id, agree }),
  },
  'POST /api/operator/v1/deposits/:id/credit': {
    impact: readSiblingImpact,
    shown: showDeposit,
    act: ({ deps, params }, agree, { units }) =>
      creditSiblingDeposit(deps, { depositId: params.id, amount: units!, agree }),
  },
  'POST /api/operator/v1/deposits/:id/return': {
    impact: readSiblingImpact,
    shown: showDeposit,
    act: async ({ deps, params, operator }, agree, { units }) => {
      const returned = { depositId: params.id, amount: units!, who: operator.email, agree }
      const { waits, id } = await returnSiblingDeposit(deps, returned)
      return { waits, withdrawal: id }
    },
  },
  'PUT /api/operator/v1/merchants/:id/risk': {
    impact: (deps, id, body) => readRiskImpact(deps, id, body?.risk_level),
    act: async ({ deps, params, body, operator }, agree) => {
      const { id: merchantId } = await requireMerchant(deps, params.id)
      const { reason, risk_level: level } = body
      return setRiskLevel(deps, { merchantId, level, reason, by: operator, agree })
    },
  },
  'PUT /api/operator/v1/merchants/:id/terms': {
    impact: (deps, id, body) => readTermsImpact(deps, id, body && pickMerchantTerms(body as OwnMerchantTerms)),
    act: async ({ deps, params, body, operator }, agree) => {
      const { id: merchantId } = await requireMerchant(deps, params.id)
      return changeMerchantTerms(deps, { merchantId, terms: pickMerchantTerms(body), by: operator, agree })
    },
  },
  'POST /api/operator/v1/merchants/:id/lift-hold': {
    impact: readMerchantImpact,
    act: async ({ deps, params }, agree) =>
      liftWithdrawalHold(deps, { merchantId: (await requireMerchant(deps, params.id)).id, agree }),
  },
  'POST /api/operator/v1/merchants/:id/unfreeze': {
    impact: readMerchantImpact,
    async shown(deps, id) {
      const { id: merchantId } = await requireMerchant(deps, id)
      const frozen = (await readMerchantFile(deps.pool, merchantId)).find(each => each.what === 'frozen')
      return { stopped: frozen?.text ?? '' }
    },
    act: async ({ deps, params, body, operator }, agree) => {
      const { id: merchantId } = await requireMerchant(deps, params.id)
      return unfreezeMerchant(deps, { merchantId, who: operator.email, reason: body.reason, agree })
    },
  },
}

/** Reads what depends on a call, for the dialog in which an operator decides. */
export async function readDecisionImpact(
  deps: Deps,
  operator: ActingOperator,
  { call, id, nonce }: { call: TwoOperatorCall; id: string; nonce?: number | undefined },
): Promise<Stakes> {
  const { impact, shown }: Decision<TwoOperatorCall> = decisions[call]
  const [{ value, unpriced, facts = [] }, more, others, open] = await Promise.all([
    impact(deps, id, nonce === undefined ? undefined : { nonce }),
    shown?.(deps, id),
    hasSecondPerson(deps.pool, operator, operatorRoles[call], deps.clock()),
    listOpenDecisions(deps),
  ])
  return {
    value: formatOptionalUsdtValue(value),
    unpriced: [...unpriced],
    two_above: usdtValueText(parseDualApprovalThreshold(deps)),
    others,
    asked: open.filter(
      each => each.call === call && each.object === id && (nonce === undefined || each.what.nonce === nonce),
    ),
    stopped: '',
    deposit: null,
    facts,
    ...more,
  }
}
