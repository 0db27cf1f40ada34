import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import type { OutgoingId, OutgoingItem, OutgoingOwners } from '../../owner.ts'
import { NoLongerDueError, type TransactionIntent, takeNonce } from './store.ts'

interface Taken {
  chainId: string
  address: string
  intent: TransactionIntent
  gas: bigint
  items: readonly OutgoingItem[]
}

/**
 * Takes a nonce for items that their owners still want to send, in one transaction with what the owners store. Returns
 * null, and takes none, when one of the items is no longer due, `isDue` says no, the wallet is halted, or another
 * approval of the token is under way.
 */
export async function takeNonceFor(
  deps: Deps,
  owners: OutgoingOwners,
  of: Taken,
  isDue = async (_: Queryable, _id: OutgoingId) => true,
): Promise<OutgoingId | null> {
  const kinds = Map.groupBy(of.items, each => each.owner)
  try {
    return await tx(deps.pool, (c, uow) =>
      takeNonce(c, { ...of, now: deps.clock() }, async id => {
        if (!(await isDue(c, id))) return false
        for (const [kind, items] of kinds) if (!(await owners[kind]!.sent(uow, items, id))) return false
        return true
      }),
    )
  } catch (error) {
    if (error instanceof NoLongerDueError || (error as { constraint?: string }).constraint === 'outgoing_one_approval')
      return null
    throw error
  }
}
