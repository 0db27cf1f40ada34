import { count, first, type Queryable } from '../../kit/db.ts'
import { markFoundPayoutsLost } from './found-store.ts'

/**
 * Why a transaction is cancelled that had paid nothing before its block left the chain: what it carried may be paid by
 * another.
 */
export const reorgCancelReason = 'it had failed in a block that left the chain'

const reopen = first(
  'outgoing-reopen',
  `with lost as (
     update outgoing o set state = 'sent', ended = coalesce(o.outcome, 'void'), reopened_at = $3, outcome = null, txid = null,
       block_number = null, block_hash = null, waits = null, updated_at = $3,
       cancel_reason = case when o.outcome = 'success' then null else coalesce(o.cancel_reason, $4) end
     where o.chain_id = $1 and o.state in ('final', 'void') and o.block_number > $2
     returning 1
   )
   select count(*) as n from lost`,
)

/**
 * Takes up the transactions of a chain again that had ended in blocks above an ancestor, which the chain has left, and
 * returns how many. What had succeeded is sent again, with the same bytes. The nonce of what had not is used up by an
 * empty transaction. Nothing is undone before another block proves that it ended otherwise, but what was sent
 * elsewhere: nobody here sends that again.
 */
export async function reopenTransactionsAbove(
  c: Queryable,
  chainId: string,
  block: number,
  now: number,
): Promise<number> {
  await markFoundPayoutsLost(c, chainId, block, now)
  return (await reopen(c, chainId, block, now, reorgCancelReason))!.n
}

/** Counts the transactions of a chain that have ended in blocks above an ancestor. */
export const countEndedTransactionsAbove = count(
  'outgoing-ended-above',
  `select count(*) as n from outgoing where chain_id = $1 and state in ('final', 'void') and block_number > $2`,
)
