import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Fees } from '../chain.ts'
import { transferData } from './calls.ts'
import { buildAuthorization } from './delegation.ts'

export type TransferRequest = {
  chainId: number
  /** Contract of the token, or null for the native coin. */
  token: string | null
  to: string
  /** In base units. */
  amount: bigint
  nonce: number
  gas: bigint
  fees: Fees
}

/** A delegation of an account to a contract (EIP-7702), to be signed by the account's key or signed in advance. */
export type Authorization = ({ privateKey: Uint8Array } | { signature: string }) & {
  contract: string
  /** The account's nonce. With any other the authorization has no effect, and nothing reports it. */
  nonce: number
}

/** An unsigned transaction: of type 4 (EIP-7702) with authorizations, otherwise of type 2 (EIP-1559). */
export type UnsignedEvmTransaction = {
  chainId: number
  nonce: number
  to: `0x${string}`
  value: bigint
  data: `0x${string}`
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  authorizations?: readonly Authorization[]
}

/** Builds a transaction that transfers a token or the native coin. */
export function buildTransfer(request: TransferRequest): UnsignedEvmTransaction {
  const { chainId, token, to, amount, nonce, gas, fees } = request
  const pays = token
    ? { to: token as `0x${string}`, value: 0n, data: transferData(to, amount) }
    : { to: to as `0x${string}`, value: amount, data: '0x' as const }
  return { chainId, nonce, gas, ...fees, ...pays }
}

/**
 * Returns fees that replace a transaction sent with `fees`: each raised by at least an eighth, which nodes require of a
 * replacement, and to the market's if that is more.
 */
export function bumpFees(fees: Fees, market: Fees): Fees {
  const raised = {
    maxFeePerGas: atLeast(raise(fees.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: atLeast(raise(fees.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  }
  return { ...raised, maxFeePerGas: atLeast(raised.maxFeePerGas, raised.maxPriorityFeePerGas) }
}

/**
 * Signs a transaction and its authorizations. Only the signer calls this.
 * @returns the raw transaction and its id
 * @throws Error for chain id 0, with which an authorization would be valid on every chain
 */
export async function signTransaction(
  { authorizations = [], ...unsigned }: UnsignedEvmTransaction,
  privateKey: Uint8Array,
) {
  if (unsigned.chainId === 0) throw new Error('a transaction must be for one chain')
  // Loaded on first use: only the signer needs it, and every process imports this module.
  const { signTransaction } = await import('viem/accounts')
  const { chainId } = unsigned
  const authorizationList = []
  for (const { contract, nonce, ...by } of authorizations)
    authorizationList.push(await buildAuthorization(by, { chainId, contract, nonce }))
  const transaction =
    authorizationList.length > 0
      ? { type: 'eip7702' as const, ...unsigned, authorizationList }
      : { type: 'eip1559' as const, ...unsigned }
  const raw = await signTransaction({ transaction, privateKey: hexOf(privateKey) })
  return { raw, txid: txidOf(raw) }
}

/** Returns the id of a signed transaction. */
export function txidOf(raw: string): string {
  return `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}`
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`

function raise(fee: bigint): bigint {
  // Adding 1 rounds up, and raises a fee of zero.
  return fee + fee / 8n + 1n
}

function atLeast(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
