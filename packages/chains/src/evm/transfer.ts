import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Fees } from '../chain.ts'
import { transferData } from '../jsonrpc/calls.ts'

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

/** An unsigned transaction of type 2 (EIP-1559). */
export type UnsignedTransfer = {
  type: 'eip1559'
  chainId: number
  nonce: number
  to: `0x${string}`
  value: bigint
  data: `0x${string}`
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Builds a transaction that transfers a token or the native coin. */
export function buildTransfer(request: TransferRequest): UnsignedTransfer {
  const { chainId, token, to, amount, nonce, gas, fees } = request
  const pays = token
    ? { to: token as `0x${string}`, value: 0n, data: transferData(to, amount) }
    : { to: to as `0x${string}`, value: amount, data: '0x' as const }
  return { type: 'eip1559', chainId, nonce, gas, ...fees, ...pays }
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
 * Signs a transfer with a private key. Only the signer calls this.
 * @returns the raw transaction and its id
 */
export async function signTransfer(unsigned: UnsignedTransfer, privateKey: Uint8Array) {
  // Loaded on first use: only the signer needs it, and every process imports this module.
  const { signTransaction } = await import('viem/accounts')
  const raw = await signTransaction({ transaction: unsigned, privateKey: `0x${bytesToHex(privateKey)}` })
  return { raw, txid: txidOf(raw) }
}

/** Returns the id of a signed transaction. */
export function txidOf(raw: string): string {
  return `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}`
}

function raise(fee: bigint): bigint {
  // Adding 1 rounds up, and raises a fee of zero.
  return fee + fee / 8n + 1n
}

function atLeast(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
