import { deployer, disperseContract } from './evm/contracts.ts'

/** Addresses to which money is sent to destroy it, and placeholders that programs take for the native coin. */
const burned = new Set([
  `0x${'dead'.padStart(40, '0')}`,
  `0x${'dead'.repeat(10)}`,
  '0xdead000000000000000042069420694206942069',
  `0x${'e'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  // TRON's black hole, TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy, an account of its first block.
  '0x77944d19c052b73ee2286823aa83f8138cb7032f',
])

/**
 * Precompiled and system contracts of Ethereum, its layer 2 chains, BNB Smart Chain and TRON, as ranges of small
 * numbers.
 */
const built: readonly (readonly [number, number])[] = [
  [0, 0x1f],
  [0x64, 0x7f],
  [0x100, 0x1ff],
  [0x800, 0x10ff],
  [0x2000, 0x20ff],
  [0x10000, 0x1ffff],
  [0x1000000, 0x10000ff],
]

/**
 * Reports whether nobody could take out what a stored address of any kind receives: a burn address, a precompiled
 * contract, or one of the contracts by which payouts are sent.
 */
export function isLost(address: string): boolean {
  if (burned.has(address) || address === disperseContract.address || address === deployer) return true
  if (!address.startsWith(`0x${'0'.repeat(32)}`)) return false
  const number = Number.parseInt(address.slice(34), 16)
  return built.some(([first, last]) => number >= first && number <= last)
}
