import type { Queryable } from '../../kit/db.ts'
import type { OutgoingId } from './owner.ts'
import { setCancelled } from './store.ts'

/**
 * Asks for a transaction to be cancelled: its nonce is then used up by a transfer of nothing to ourselves. The owner learns of it by
 * `voided` once that is final, or by `final` if the payout was faster. Returns false when it is in a block or cancelled already.
 */
export const cancelOutgoing = async (c: Queryable, id: OutgoingId, reason: string, now: number): Promise<boolean> =>
  (await setCancelled(c, id.chain_id, id.from_address, id.nonce, reason, now)) > 0
