import type { ErrorName } from '@coffer/contract'
import { merchantStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'
import {
  computeAmountForValue,
  computeMerchantMinWithdrawal,
  computeValueInUsdt,
  computeWithdrawalTerms,
  type PolicyDecision,
  type WithdrawalTerms,
} from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Asset } from '../chains/assets.ts'
import { readPayoutStop } from '../chains/store.ts'
import { formatHoldReason } from '../merchants/hold.ts'
import type { Merchant } from '../merchants/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'
import { formatPolicyRefusal, formatPolicyReport, policyRefusals } from '../policies/format-policy-report.ts'
import { evaluatePolicy } from '../policies/policy.ts'
import type { PayoutQuote } from './quote.ts'
import { readGasLimit } from './settings.ts'
import { readAvailableBalance } from './store.ts'

const daySeconds = 86_400

/**
 * A merchant's request to withdraw. `amount` is in base units; `to` is in the stored form, null while none is given.
 */
export interface WithdrawalRequest {
  merchant: Merchant
  asset: Asset
  amount: bigint
  to: string | null
  quote: PayoutQuote
  /** Who requests it on a page; null for an application with its key. */
  personId: string | null
  /** When a passkey confirmed this withdrawal; null if none did. */
  passkeyAt: number | null
}

export interface WithdrawalEligibility {
  terms: WithdrawalTerms
  feeBps: number
  /** In 10^-18 USDT. */
  value: bigint
  available: bigint
  minimum: bigint
  /** The largest amount that balance and limits allow; 0 if none. */
  maximum: bigint
  decision: PolicyDecision
  /** Why the withdrawal is refused, or null. */
  refusal: Refusal | null
}

/**
 * Checks a withdrawal: account, amount, balance and policy, in this order. Within a transaction that has locked the
 * merchant the result holds until its end.
 */
export async function checkWithdrawal(
  deps: Deps,
  c: Queryable,
  request: WithdrawalRequest,
): Promise<WithdrawalEligibility> {
  const { merchant, asset, amount, to, quote, personId, passkeyAt } = request
  const price = quote.rate.price
  const inForce = getMerchantTerms(deps, merchant)
  const feeBps = inForce.withdraw_fee_bps
  const terms = computeWithdrawalTerms(amount, feeBps, quote.gas)
  const value = computeValueInUsdt(amount, asset.decimals, price)
  const available = (await readAvailableBalance(c, merchant.id, asset.id))?.balance ?? 0n
  const minimum =
    computeMerchantMinWithdrawal(inForce, quote.gas, { decimals: asset.decimals, price }) ?? available + 1n
  const decision = await evaluatePolicy(deps, c, {
    merchant,
    assetId: asset.id,
    chainId: asset.chain_id,
    to,
    value,
    personId,
    passkeyAt,
  })
  const limits = decision.reports
    .filter(({ rule }) => rule.kind === 'single' || rule.kind === 'window')
    .map(({ left }) => computeAmountForValue(left ?? 0n, { decimals: asset.decimals, price }))
  const most = [available - 1n, ...limits].reduce((a, b) => (a < b ? a : b))
  const eligibility = { terms, feeBps, value, available, minimum, maximum: most < minimum ? 0n : most, decision }
  const refusal =
    (await findPayoutRefusal(deps, c, request)) ?? (await findGasRefusal(c, request)) ?? refusalOf(asset, eligibility)
  return { ...eligibility, refusal }
}

const forbid = (en: string, zh: string) => new Refusal('withdrawal_forbidden', { detail: { en, 'zh-CN': zh } })

/** Returns why nothing of this asset can be paid out for this merchant now, whatever the amount. */
export async function findPayoutRefusal(
  deps: Deps,
  c: Queryable,
  { merchant, asset }: Pick<WithdrawalRequest, 'merchant' | 'asset'>,
): Promise<Refusal | null> {
  if (merchant.frozen) return forbid('the account is frozen', '账号已冻结')
  if (merchant.status !== merchantStatus.approved) return forbid('merchant permission is not open', '商户权限未开通')
  if (asset.halted || !asset.started) return forbid('the network is on hold', '该网络暂停处理')
  if (await readPayoutStop(c, asset.chain_id, asset.id)) return forbid('withdrawals are on hold', '提现暂停处理')
  const held = formatHoldReason(deps, merchant)
  return held && new Refusal('withdrawal_forbidden', { detail: held })
}

/** Refuses gas above the merchant's limit for the asset. */
export async function findGasRefusal(
  c: Queryable,
  { merchant, asset, quote }: Pick<WithdrawalRequest, 'merchant' | 'asset' | 'quote'>,
): Promise<Refusal | null> {
  const limit = (await readGasLimit(c, merchant.id, asset.id))?.gas_limit
  if (limit == null || quote.gas <= limit) return null
  const shown = (units: bigint) => `${formatDecimal(units, asset.decimals)} ${asset.symbol}`
  const gas = shown(quote.gas)
  const most = shown(limit)
  return new Refusal('gas_too_high', { detail: { en: `${gas}, limit ${most}`, 'zh-CN': `当前 ${gas}，上限 ${most}` } })
}

function refusalOf(
  asset: Asset,
  { terms, value, available, minimum, decision }: Omit<WithdrawalEligibility, 'refusal'>,
): Refusal | null {
  const least = `${formatDecimal(minimum, asset.decimals)} ${asset.symbol}`
  const data = decision.reports.map(formatPolicyReport)
  const refuse = (reason: ErrorName, detail?: Record<Language, string>) =>
    new Refusal(reason, { field: 'amount', ...(detail && { detail }), data })
  if (terms.amount < minimum) return refuse('amount_too_small', { en: `at least ${least}`, 'zh-CN': `不低于 ${least}` })
  // The specification requires less than the balance. No rule helps who does not have the amount.
  if (terms.amount >= available) return refuse('insufficient_balance')
  const denied = decision.reports.filter(({ rule, allowed }) => !allowed && rule.kind !== 'approval')
  // A passkey is requested last: it satisfies only its own rule.
  const { rule } = denied.find(each => each.rule.kind !== 'fresh_factor') ?? denied[0] ?? {}
  if (!rule) return null
  const detail = formatPolicyRefusal(denied, value)
  if (rule.kind === 'fresh_factor') return refuse('passkey_needed', detail)
  if (rule.kind === 'single') return refuse('withdrawal_too_large', detail)
  if (rule.kind === 'window' && rule.per === 'merchant' && rule.seconds === daySeconds)
    return refuse('withdrawal_day_limit', detail)
  return new Refusal('policy_refused', { text: policyRefusals.withdrawal, field: 'amount', detail, data })
}
