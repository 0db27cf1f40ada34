import { CallRefused, type Receipt } from '@coffer/chains'
import { unitsOf } from '@coffer/core'
import type { Sender } from './sender.ts'
import type { Intent } from './store.ts'

/** Why a person decides about a payout that a token logged: the balance of a receiver does not confirm it. */
export const unmovedReason = 'the balance did not rise'

/**
 * Compares what a token logged of a payout with the balances of its receivers at the block before and at its own, proven or as most nodes
 * report them. `unknown`: they are not certain now. Where nodes keep no past state, the log is all that is known, and counts.
 */
export async function isMoved(chain: Sender, intent: Intent, receipt: Receipt): Promise<boolean | 'unknown'> {
  const { status, blockNumber: number, blockHash: hash } = receipt
  if (status !== 'success' || intent.token === null) return true
  if (intent.kind !== 'transfer' && intent.kind !== 'batch') return true
  const paid = new Map<string, bigint>()
  for (const { to, amount } of intent.kind === 'batch' ? intent.payments : [intent])
    paid.set(to, (paid.get(to) ?? 0n) + unitsOf(amount))
  const receivers = [...paid.keys()]
  const before = await chain.blockAt(number - 1)
  if (!before) return 'unknown'
  try {
    const [was, is] = [
      await chain.certainBalances(intent.token, receivers, before),
      await chain.certainBalances(intent.token, receivers, { number, hash }),
    ]
    if ([...was, ...is].includes(null)) return 'unknown'
    return receivers.every((to, i) => is[i]! - was[i]! >= paid.get(to)!)
  } catch (error) {
    if (error instanceof CallRefused) return true
    throw error
  }
}
