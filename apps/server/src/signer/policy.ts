import { type ChainKind, isStoredAddress } from '@coffer/chains'
import type { SignerRefusal, SignRequest } from './protocol.ts'

/** Limits for one transaction and for 24 hours, in base units. */
export type Limit = { single: bigint; daily: bigint }

/** What the signer may sign on one chain. */
export type ChainPolicy = {
  kind: ChainKind
  chainId: number
  /** Payout limits by contract or `native`. Unlisted assets are neither paid out nor swept; sweeps have no amount limit. */
  assets: Record<string, Limit>
  /** Native coin sent to deposit addresses to pay for their sweeps. */
  gas: Limit
  /** Limits on network fees, in base units of the native coin. */
  fee: Limit
  /** Allowlist of receivers in stored form; null allows any. */
  onlyTo: string[] | null
}

export type Policy = Record<string, ChainPolicy>

/** State the policy is evaluated against. */
export type Facts = {
  /** Addresses in stored form: the hot wallet's, and the deposit address at the request's index. */
  hot: string
  deposit: string | null
  /** Base units signed in the last 24 hours for the same asset and purpose, excluding this request. */
  spent: bigint
  /** Maximum fees signed in the last 24 hours, excluding those for this nonce. */
  fees: bigint
  /** Whether the nonce was already signed for another payout. */
  nonceTaken: boolean
}

/** The asset of a request, as named in the policy and the signing record. */
export function assetOf(request: SignRequest): string {
  return request.token ?? 'native'
}

/** The maximum network fee of a request, in base units of the native coin. */
export const costOf = (request: SignRequest): bigint => BigInt(request.gas) * BigInt(request.maxFeePerGas)

/**
 * Checks a request against the policy.
 * @returns the first rule it violates, or null
 */
export function refusalOf(request: SignRequest, policy: Policy, facts: Facts): SignerRefusal | null {
  const chain = Object.hasOwn(policy, request.chain) ? policy[request.chain] : undefined
  if (!chain) return 'unknown_chain'
  const cost = costOf(request)
  if (cost > chain.fee.single || facts.fees + cost > chain.fee.daily) return 'fee_too_high'
  if (BigInt(request.maxPriorityFeePerGas) > BigInt(request.maxFeePerGas)) return 'bad_request'
  const amount = BigInt(request.amount)
  switch (request.kind) {
    case 'cancel':
      return request.token === null && amount === 0n ? null : 'bad_request'
    case 'sweep':
      if (amount === 0n) return 'bad_request'
      return Object.hasOwn(chain.assets, assetOf(request)) ? null : 'asset_not_allowed'
    case 'gas':
      if (request.token !== null || amount === 0n) return 'bad_request'
      return outgoing(amount, chain.gas, facts)
    case 'transfer':
      return transferRefusal(request, chain, facts)
  }
}

function transferRefusal(request: SignRequest, chain: ChainPolicy, facts: Facts): SignerRefusal | null {
  const asset = assetOf(request)
  const limit = Object.hasOwn(chain.assets, asset) ? chain.assets[asset] : undefined
  if (!limit) return 'asset_not_allowed'
  const to = request.to ?? ''
  if (!isStoredAddress(chain.kind, to)) return 'bad_address'
  // A transfer to a token contract or to the hot wallet itself is always a mistake.
  if (to === facts.hot || Object.hasOwn(chain.assets, to)) return 'bad_address'
  if (chain.onlyTo && !chain.onlyTo.includes(to)) return 'not_on_list'
  const amount = BigInt(request.amount)
  if (amount === 0n) return 'bad_request'
  return outgoing(amount, limit, facts)
}

function outgoing(amount: bigint, limit: Limit, facts: Facts): SignerRefusal | null {
  if (facts.nonceTaken) return 'nonce_taken'
  if (amount > limit.single) return 'too_large'
  return facts.spent + amount > limit.daily ? 'daily_limit' : null
}
