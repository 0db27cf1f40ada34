import { type ChainKind, isStoredAddress } from '@coffer/chains'
import type { SignerRefusal, SignRequest } from './protocol.ts'

/** Most that goes out at once and within 24 hours, in base units. */
export type Limit = { single: bigint; daily: bigint }

/** What the signer signs on one chain, whatever it is asked. */
export type ChainPolicy = {
  kind: ChainKind
  chainId: number
  /** By contract, or `native`. What is not here is not paid out; sweeping into our own wallet needs no limit. */
  assets: Record<string, Limit>
  /** Native coin given to deposit addresses for their sweeps. */
  gas: Limit
  /** Most that transactions may cost, one and all of 24 hours, in base units of the native coin. */
  fee: Limit
  /** When not null, transfers go to these addresses only. */
  onlyTo: string[] | null
}

export type Policy = Record<string, ChainPolicy>

/** What the signer knows beside the request and its policy. */
export type Facts = {
  /** Addresses in the stored form: the hot wallet's, and the one at the request's index. */
  hot: string
  deposit: string | null
  /** Base units of the same asset and purpose signed within the last 24 hours, this very transaction not counted. */
  spent: bigint
  /** Most that everything signed within the last 24 hours may cost, what was signed for this very nonce not counted. */
  fees: bigint
  /** Whether the nonce was signed before for something else. */
  nonceTaken: boolean
}

/** The asset of a request as the policy and the record of what was signed name it. */
export function assetOf(request: SignRequest): string {
  return request.token ?? 'native'
}

/** The most that the transaction of a request can cost beside what it moves. */
export const costOf = (request: SignRequest): bigint => BigInt(request.gas) * BigInt(request.maxFeePerGas)

/**
 * Decides whether to sign.
 * @returns the name of the first rule that the request breaks, or null
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
  // Coin sent to a token's own contract or to ourselves is a mistake, whoever asked for it.
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
