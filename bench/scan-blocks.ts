import { addressAt as derived } from '@coffer/server/testing/money.ts'

/** Transfers in every block of the scan. */
export const perBlock = 1_000

/** All blocks are of one moment, within the time of the payments that they pay. */
export const blockTime = 1_748_858_400

/** The hash of a block is its number. */
export const blockHash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`

const addresses: string[] = []

/** The watched address at an index. */
export function addressAt(index: number): string {
  addresses[index] ??= derived('evm', index)
  return addresses[index]
}
