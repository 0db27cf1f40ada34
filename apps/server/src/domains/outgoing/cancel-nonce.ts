import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { cancelOutgoing } from './cancel-outgoing.ts'
import { walletOfRole } from './store.ts'

/**
 * Cancels a transaction of a hot wallet by its nonce. Throws Refusal('operation_failed') when it is in a block or
 * cancelled already.
 */
export async function cancelNonce(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { chainId, nonce, reason }: { chainId: string; nonce: number; reason: string },
): Promise<void> {
  const wallet = await walletOfRole(pool, chainId, 'hot')
  const of = wallet && { chain_id: chainId, from_address: wallet.address, nonce }
  if (!of || !(await cancelOutgoing(pool, of, reason, clock())))
    throw new Refusal('operation_failed', { field: 'nonce' })
}
