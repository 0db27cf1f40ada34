import { type ChainView, isTrouble, type Told } from '@coffer/chains'

/** By what a transfer that may be credited is found again among deposits. */
export const confirmedKey = ({ txid, token, ordinal }: Pick<Told, 'txid' | 'token' | 'ordinal'>) =>
  `${txid} ${token} ${ordinal}`

/**
 * Which of these transfers most nodes have, and may be credited: one node alone may tell of what is not there. None while
 * nodes fail; all on a chain that does not ask them.
 */
export async function confirmed(chain: ChainView, transfers: readonly Told[]): Promise<Set<string>> {
  try {
    return new Set(((await chain.confirmed?.(transfers)) ?? transfers).map(confirmedKey))
  } catch (error) {
    if (!isTrouble(error)) throw error
    return new Set()
  }
}
