import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { countPendingTransactions, readWallets } from './store.ts'

/** Seconds for which a transaction may be in no block. */
export const stuckTransactionSeconds = 900

/** A transaction under way: made at `since`, and waiting for a reason since it last changed. */
type UnderWay = { state: string; waits: string | null; since: number | null; changed: number | null }

/** Whether a transaction stays in no block, or does not end though its block is final. */
export const isStuck = ({ state, waits, since, changed }: UnderWay, now: number): boolean =>
  state === 'in_block'
    ? waits !== null && now - changed! >= stuckTransactionSeconds
    : now - since! >= stuckTransactionSeconds

/**
 * Opens an incident for each wallet with a transaction that stays in no block or does not end, and ends those of the
 * others. A halted wallet has one of its own.
 */
export async function watchStuckTransactions({
  pool,
  clock,
  log,
}: Pick<Deps, 'pool' | 'clock' | 'log'>): Promise<false> {
  const now = clock()
  const wallets = await readWallets(pool)
  const underWay = await countPendingTransactions(pool)
  for (const { chain_id, address: wallet, halted } of wallets) {
    const [oldest] = underWay
      .filter(each => each.chain_id === chain_id && each.from_address === wallet && isStuck(each, now))
      .sort((a, b) => a.since! - b.since!)
    if (halted !== null || !oldest) continue
    const detail = { wallet, nonce: oldest.nonce, ...(oldest.waits && { reason: oldest.waits }) }
    const row = { kind: 'payout_stuck', chain_id, of: { wallet }, detail }
    if (await tx(pool, c => reportLastingIncident(c, row, now)))
      log.error({ chain: chain_id, ...detail }, 'a payout does not go on')
  }
  await endUnseenIncidents(pool, ['payout_stuck'], null, now - unseenIncidentSeconds, now)
  return false
}
