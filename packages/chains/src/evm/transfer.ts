import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Fees } from '../chain.ts'
import { transferData } from '../jsonrpc/calls.ts'

export type TransferRequest = {
  chainId: number
  /** Contract of the token, or null for the native coin. */
  token: string | null
  to: string
  /** Base units. */
  amount: bigint
  nonce: number
  gas: bigint
  fees: Fees
}

/** A transaction of type 2 (EIP-1559), ready to be signed. */
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

/** The transaction that pays a token or the native coin to somebody. */
export function buildTransfer(request: TransferRequest): UnsignedTransfer {
  const { chainId, token, to, amount, nonce, gas, fees } = request
  const pays = token
    ? { to: token as `0x${string}`, value: 0n, data: transferData(to, amount) }
    : { to: to as `0x${string}`, value: amount, data: '0x' as const }
  return { type: 'eip1559', chainId, nonce, gas, ...fees, ...pays }
}

/**
 * Fees high enough to replace a transaction that was sent with `fees`: both rise by an eighth, rounded up, which is
 * what nodes ask for, or to what the market asks now if that is more.
 */
export function bumpFees(fees: Fees, market: Fees): Fees {
  const raised = {
    maxFeePerGas: atLeast(raise(fees.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: atLeast(raise(fees.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  }
  return { ...raised, maxFeePerGas: atLeast(raised.maxFeePerGas, raised.maxPriorityFeePerGas) }
}

/**
 * Signs with a private key. Only the signer calls this.
 * @returns the bytes to send and the id that the transaction will have
 */
export async function signTransfer(unsigned: UnsignedTransfer, privateKey: Uint8Array) {
  // Loaded on first use: only the signer signs, and every process that knows chains would pay for it.
  const { signTransaction } = await import('viem/accounts')
  const raw = await signTransaction({ transaction: unsigned, privateKey: `0x${bytesToHex(privateKey)}` })
  return { raw, txid: txidOf(raw) }
}

/** The id of a signed transaction. */
export function txidOf(raw: string): string {
  return `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}`
}

function raise(fee: bigint): bigint {
  // The one more keeps it above the old fee when that was zero, and rounds up.
  return fee + fee / 8n + 1n
}

function atLeast(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
