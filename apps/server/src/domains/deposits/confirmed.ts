import { type ChainView, isChainError, type ReportedTransfer } from '@coffer/chains'

/** Transfers per query. When a node fails part way, the transfers confirmed before are still credited. */
const atOnce = 100

/** Key matching a quorum-confirmed transfer to its deposit. */
export const confirmedKey = ({ txid, token, ordinal }: Pick<ReportedTransfer, 'txid' | 'token' | 'ordinal'>) =>
  `${txid} ${token} ${ordinal}`

/**
 * Returns the keys of the transfers that a quorum of nodes confirms; only these may be credited, since a single node
 * may report transfers that do not exist. Stops at the first node failure and returns the keys confirmed so far.
 * Returns all keys on a chain without quorum confirmation.
 */
export async function confirmed(chain: ChainView, transfers: readonly ReportedTransfer[]): Promise<Set<string>> {
  const keys = new Set<string>()
  try {
    for (let i = 0; i < transfers.length; i += atOnce) {
      const some = transfers.slice(i, i + atOnce)
      for (const each of (await chain.confirmedByQuorum?.(some)) ?? some) keys.add(confirmedKey(each))
    }
  } catch (error) {
    if (!isChainError(error)) throw error
  }
  return keys
}
