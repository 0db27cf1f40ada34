import { type ChainView, isChainError, type ReportedTransfer } from '@coffer/chains'

/** Transfers asked for at once: where a node gives no more, those before are credited all the same. */
const atOnce = 100

/** By what a transfer that may be credited is found again among deposits. */
export const confirmedKey = ({ txid, token, ordinal }: Pick<ReportedTransfer, 'txid' | 'token' | 'ordinal'>) =>
  `${txid} ${token} ${ordinal}`

/**
 * Which of these transfers most nodes have, and may be credited: one node alone may tell of what is not there. No more of
 * them once nodes fail; all on a chain that does not ask them.
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
