import { mainnets } from '@coffer/chains'

/** How a chain runs in life, on average. Where the figures are from stands in docs/decisions/scale.md. */
export interface Rate {
  /** Seconds between blocks. */
  blockTime: number
  /** Transactions of a block, and logs of a transaction. */
  transactions: number
  logs: number
  /** Whose transaction each block begins with, that the chain adds by itself. */
  adds?: 'op' | 'arbitrum'
}

const rates: Record<string, Rate> = {
  eth: { blockTime: 12, transactions: 330, logs: 2 },
  bsc: { blockTime: 0.45, transactions: 100, logs: 3 },
  polygon: { blockTime: 2, transactions: 112, logs: 4 },
  tron: { blockTime: 3, transactions: 383, logs: 0.5 },
  base: { blockTime: 2, transactions: 228, logs: 4, adds: 'op' },
  arbitrum: { blockTime: 0.25, transactions: 5, logs: 4, adds: 'arbitrum' },
  optimism: { blockTime: 2, transactions: 20, logs: 4, adds: 'op' },
  avalanche: { blockTime: 2, transactions: 20, logs: 3 },
}

/** All built-in chains with their rates. Throws Error for a chain without a rate. */
export const chains = Object.values(mainnets).map(definition => {
  const rate = rates[definition.id]
  if (!rate) throw new Error(`bench/follow/rates.ts has no line for ${definition.name} (${definition.id})`)
  return { definition, rate }
})
