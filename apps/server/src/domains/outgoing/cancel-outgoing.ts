import type { Queryable } from '../../kit/db.ts'
import type { OutgoingId } from '../../owner.ts'
import { setCancelled, stopItems } from './store.ts'

/**
 * Requests that a transaction be cancelled: its nonce is then used up by a transfer of nothing to ourselves. The owner
 * learns of it by `voided` once that is final, or by `final` if the payout was faster. With `item`, the id of one
 * payout, the others of a batch are taken back instead. Returns false when it is in a block or cancelled already.
 */
export async function cancelOutgoing(
  c: Queryable,
  { chain_id, from_address, nonce }: OutgoingId,
  reason: string,
  now: number,
  item: string | null = null,
): Promise<boolean> {
  const stopped = await stopItems(c, chain_id, from_address, nonce, item)
  const cancelled = await setCancelled(c, chain_id, from_address, nonce, reason, now)
  return stopped > 0 || cancelled > 0
}
