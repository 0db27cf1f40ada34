import { type ChainKind, chainAdapters, isStoredAddress } from '@coffer/chains'
import { MAX_CHARGE_BEYOND_LIMIT_SUN } from '@coffer/chains/tron/expiring.ts'
import { isPayoutReleased, type ReleasePasskeys } from './passkey.ts'
import type { SignerRefusal, SignRequest } from './protocol.ts'
import type { UnreleasedPayments } from './record.ts'

/** Limits for one payment and for 24 hours, in base units. */
export type SpendingLimit = { single: bigint; daily: bigint }

/** What the signer may sign on one chain. */
export type ChainPolicy = {
  kind: ChainKind
  chainId: number
  /**
   * Payout limits by contract or `native`. Unlisted assets are neither paid out nor swept; sweeps have no amount limit.
   */
  assets: Record<string, SpendingLimit>
  /** Native coin sent to deposit addresses and to the sweeper to pay for sweeps. */
  gas: SpendingLimit
  /** Limits on network fees, in base units of the native coin. `single` is for each payment or swept address. */
  fee: SpendingLimit
  /**
   * The operator's own wallet, in stored form. Deposit addresses then send to it only, and the hot wallet what it does
   * not need. Null: deposits are swept to the hot wallet.
   */
  treasury: string | null
  /**
   * What stays in the hot wallet where there is a treasury, by contract or `native`, in base units; all of an asset
   * that is not named.
   */
  float: Record<string, bigint>
  /** Allowlist of receivers in stored form; null allows any. */
  onlyTo: string[] | null
  /** Passkeys of people who release payouts. Null: no payout needs one. */
  passkeys: (ReleasePasskeys & PasskeyLimits) | null
  /** Whether payouts may go through Disperse. */
  batches: boolean
  /** Whether deposit addresses may be delegated to Sweeper (EIP-7702). */
  delegates: boolean
  /**
   * The most that assets are worth, by contract or `native`. Others are not paid out while there is a limit of all
   * chains.
   */
  worth: Record<string, AssetValue>
}

/** Millionths of a dollar for 10^`decimals` base units. */
export type AssetValue = { dollars: bigint; decimals: number }

/**
 * What may be paid in 24 hours without a release, by asset, in base units. Splitting and batching a payout change
 * nothing.
 */
export type PasskeyLimits = {
  /** To one receiver. Assets that are not named need no release. */
  above: Record<string, bigint>
  /** To all receivers; ten times `above` for an asset that is not named. */
  aboveInAll: Record<string, bigint>
}

export type SignerPolicy = {
  /**
   * What may leave all chains in 24 hours, payments and the most that fees may burn, in millionths of a dollar by the
   * worth of assets; null for no such limit.
   */
  daily: bigint | null
  chains: Record<string, ChainPolicy>
}

/** State the policy is evaluated against. */
export type PolicyState = {
  /** Address of the hot wallet, in stored form. */
  hot: string
  /** Base units signed in the last 24 hours for the same asset and purpose, excluding this request. */
  spent: bigint
  /** Maximum fees signed in the last 24 hours, excluding those for this nonce. */
  fees: bigint
  /** Whether the nonce was already signed for another intent. */
  nonceTaken: boolean
  /** Unix seconds. */
  now: number
  /** Whether a release was already used for another nonce. */
  isUsed: (release: string) => boolean
  /** Payments of the same asset without a release in the last 24 hours, excluding this request. */
  unreleased: UnreleasedPaymentSums
  /**
   * What was signed in 24 hours on all chains for all else but the purpose and fees of this request, in millionths of a
   * dollar.
   */
  elsewhere: bigint
}

/** What base units of a purpose of the signing record are worth, in millionths of a dollar, rounded up. */
export function toMicroDollars(chain: ChainPolicy | undefined, purpose: string, units: bigint): bigint {
  // Gas for sweeps stays with our own addresses.
  const asset = purpose === 'fee' ? 'native' : purpose
  const worth = chain && Object.hasOwn(chain.worth, asset) ? chain.worth[asset]! : null
  if (worth === null) return 0n
  const one = 10n ** BigInt(worth.decimals)
  return (units * worth.dollars + one - 1n) / one
}

/** Whether a request passes the limit of all chains. */
function passesAll(request: SignRequest, chain: ChainPolicy, { daily }: SignerPolicy, facts: PolicyState): boolean {
  if (daily === null) return false
  const paid = toMicroDollars(chain, limitPurposeOf(request), facts.spent + computeOutgoingAmount(request))
  const burnt = toMicroDollars(chain, 'fee', facts.fees + computeMaxFee(request))
  return facts.elsewhere + paid + burnt > daily
}

/** Sums of payments that no passkey released. */
export class UnreleasedPaymentSums {
  readonly #byReceiver = new Map<string, bigint>()
  #all = 0n

  /** Adds payments, or with `sign` -1n removes them. */
  add(payments: UnreleasedPayments, sign: 1n | -1n = 1n): this {
    for (const [to, amount] of payments) {
      const units = sign * BigInt(amount)
      this.#byReceiver.set(to, (this.#byReceiver.get(to) ?? 0n) + units)
      this.#all += units
    }
    return this
  }

  /** Whether one more payment stays within the limits of an asset. */
  allows({ to, amount }: { to: string; amount: string }, { above, aboveInAll }: PasskeyLimits, asset: string): boolean {
    const limit = above[asset]!
    const units = BigInt(amount)
    const inAll = Object.hasOwn(aboveInAll, asset) ? aboveInAll[asset]! : 10n * limit
    return (this.#byReceiver.get(to) ?? 0n) + units <= limit && this.#all + units <= inAll
  }

  copy(): UnreleasedPaymentSums {
    const copy = new UnreleasedPaymentSums()
    for (const [to, units] of this.#byReceiver) copy.#byReceiver.set(to, units)
    copy.#all = this.#all
    return copy
  }
}

/** Longest time to the expiration of a transaction (s). */
const LONGEST = 3_600

/** The asset of a request, as named in the policy and the signing record. */
export function requestAssetOf(request: SignRequest): string {
  return request.token ?? 'native'
}

/** The purpose under which a day's limit counts a request. */
export const limitPurposeOf = (request: SignRequest): string =>
  request.kind === 'gas' ? 'gas' : requestAssetOf(request)

/** The maximum network fee of a request, in base units of the native coin. */
export const computeMaxFee = (request: SignRequest): bigint =>
  'feeLimit' in request
    ? BigInt(request.feeLimit) + MAX_CHARGE_BEYOND_LIMIT_SUN
    : BigInt(request.gas) * BigInt(request.maxFeePerGas)

/** The amount that leaves the hot wallet by a request, in base units. */
export function computeOutgoingAmount(request: SignRequest): bigint {
  if (request.kind === 'batch') return request.payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return request.kind === 'transfer' || request.kind === 'gas' ? BigInt(request.amount) : 0n
}

/** Whether the fee of a request, after those of the last 24 hours, is above a limit. */
export function isFeeTooHigh(request: SignRequest, { fee }: ChainPolicy, fees: bigint): boolean {
  const cost = computeMaxFee(request)
  return cost > fee.single * sizeOf(request) || fees + cost > fee.daily
}

/**
 * Checks a request against the policy.
 * @returns the first rule it violates, or null
 */
export function findPolicyViolation(
  request: SignRequest,
  policy: SignerPolicy,
  facts: PolicyState,
): SignerRefusal | null {
  const chain = findChainPolicy(policy, request.chain)
  if (!chain) return 'unknown_chain'
  if (isFeeTooHigh(request, chain, facts.fees)) return 'fee_too_high'
  if (!areValidTerms(request, facts.now)) return 'bad_request'
  const refused = refusalByKind(request, chain, facts)
  if (refused) return refused
  if (isOfUnknownWorth(request, chain, policy)) return 'worth_unknown'
  return passesAll(request, chain, policy, facts) ? 'daily_limit' : null
}

/**
 * Whether a payment cannot be held against the limit of all chains: the policy gives no worth to its asset, or to the
 * coin of its fee.
 */
function isOfUnknownWorth(request: SignRequest, { worth }: ChainPolicy, { daily }: SignerPolicy): boolean {
  if (daily === null || (request.kind !== 'transfer' && request.kind !== 'batch')) return false
  return !Object.hasOwn(worth, requestAssetOf(request)) || !Object.hasOwn(worth, 'native')
}

/** The policy of a chain, if it has one. */
export const findChainPolicy = ({ chains }: SignerPolicy, id: string): ChainPolicy | undefined =>
  Object.hasOwn(chains, id) ? chains[id] : undefined

function refusalByKind(request: SignRequest, chain: ChainPolicy, facts: PolicyState): SignerRefusal | null {
  switch (request.kind) {
    case 'cancel':
      return null
    case 'sweep':
      if (request.index === null && chain.treasury === null) return 'not_allowed'
      return (
        assetRefusal(request, chain) ??
        (request.amount === '0' ? 'bad_request' : request.index === null && facts.nonceTaken ? 'nonce_taken' : null)
      )
    case 'sweepMany':
      if (!chain.delegates) return 'not_allowed'
      return assetRefusal(request, chain) ?? (facts.nonceTaken ? 'nonce_taken' : null)
    case 'approve':
      if (!chain.batches) return 'not_allowed'
      return assetRefusal(request, chain) ?? (facts.nonceTaken ? 'nonce_taken' : null)
    case 'delegate':
    case 'undelegate':
      if (request.amount === '0') return 'bad_request'
      return facts.nonceTaken ? 'nonce_taken' : null
    case 'gas':
      return outgoing(request, chain, chain.gas, facts)
    case 'transfer':
      // With a treasury, payouts come from the hot wallet only.
      if (request.index !== null && chain.treasury !== null) return 'not_allowed'
      return payoutRefusal(request, chain, facts)
    case 'batch':
      return chain.batches ? payoutRefusal(request, chain, facts) : 'not_allowed'
  }
}

function areValidTerms(request: SignRequest, now: number): boolean {
  if (!('expiration' in request)) return BigInt(request.maxPriorityFeePerGas) <= BigInt(request.maxFeePerGas)
  const [from, until] = [request.timestamp, request.expiration].map(time => Math.floor(time / 1000)) as [number, number]
  return from <= until && until > now && until <= now + LONGEST
}

/** Payments or swept addresses of a transaction, each of which may cost a fee. */
function sizeOf(request: SignRequest): bigint {
  if (request.kind === 'batch') return BigInt(request.payments.length)
  return request.kind === 'sweepMany' ? BigInt(request.owners.length) : 1n
}

function assetRefusal(request: SignRequest, chain: ChainPolicy): SignerRefusal | null {
  return Object.hasOwn(chain.assets, requestAssetOf(request)) ? null : 'asset_not_allowed'
}

type Payment = Extract<SignRequest, { kind: 'batch' }>['payments'][number]
type Payout = Extract<SignRequest, { kind: 'transfer' | 'batch' }>

const paymentsOf = (request: Payout): readonly Payment[] => (request.kind === 'batch' ? request.payments : [request])

/** Payments of a request without a release. */
export function collectUnreleasedPayments(request: SignRequest): UnreleasedPayments {
  if (request.kind !== 'transfer' && request.kind !== 'batch') return []
  return paymentsOf(request).flatMap(({ to, amount, release }) => (release ? [] : [[to, amount] as const]))
}

/** The releases that a request uses up. */
export function collectReleaseIds(request: SignRequest): string[] {
  if (request.kind !== 'transfer' && request.kind !== 'batch') return []
  return paymentsOf(request).flatMap(({ release }) => (release ? [release.id] : []))
}

function payoutRefusal(request: Payout, chain: ChainPolicy, facts: PolicyState): SignerRefusal | null {
  const refused = assetRefusal(request, chain)
  if (refused) return refused
  const limit = chain.assets[requestAssetOf(request)]!
  for (const { to, amount } of paymentsOf(request)) {
    if (!isStoredAddress(chain.kind, to)) return 'bad_address'
    // A transfer to a token contract or to the hot wallet itself is always a mistake.
    if (to === facts.hot || Object.hasOwn(chain.assets, to)) return 'bad_address'
    if (chain.onlyTo && !chain.onlyTo.includes(to)) return 'not_on_list'
    if (amount === '0') return 'bad_request'
    if (BigInt(amount) > limit.single) return 'too_large'
  }
  return outgoing(request, chain, limit, facts) ?? releaseRefusal(request, chain, facts)
}

function releaseRefusal(request: Payout, { passkeys }: ChainPolicy, facts: PolicyState): SignerRefusal | null {
  const asset = requestAssetOf(request)
  if (passkeys === null || !Object.hasOwn(passkeys.above, asset)) return null
  const here = new Set<string>()
  const sums = facts.unreleased.copy()
  for (const { to, amount, release } of paymentsOf(request)) {
    if (release) {
      const { id, ...assertion } = release
      const payout = { id, chain: request.chain, token: request.token, to, amount }
      if (!isPayoutReleased(payout, assertion, passkeys)) return 'passkey_invalid'
      if (here.has(id) || facts.isUsed(id)) return 'passkey_used'
      here.add(id)
    } else if (!sums.allows({ to, amount }, passkeys, asset)) return 'passkey_required'
    else sums.add([[to, amount]])
  }
  return null
}

function outgoing(
  request: SignRequest,
  { kind }: ChainPolicy,
  limit: SpendingLimit,
  facts: PolicyState,
): SignerRefusal | null {
  const amount = computeOutgoingAmount(request)
  if (amount === 0n) return 'bad_request'
  if (facts.nonceTaken) return 'nonce_taken'
  // Whatever the policy allows, no transaction holds more.
  if (request.token === null && amount > (chainAdapters[kind].sending?.most ?? 0n)) return 'too_large'
  if (request.kind !== 'batch' && amount > limit.single) return 'too_large'
  return facts.spent + amount > limit.daily ? 'daily_limit' : null
}
