import type { Deps } from '../../deps.ts'
import { all } from '../../kit/db.ts'
import type { Payout } from '../../owner.ts'
import { isPayable } from '../outgoing/sender.ts'
import { getSweepStrategy } from './kinds.ts'

/**
 * On a chain that sweeps addresses one by one, a sweep can pay a payout of the same merchant straight to its receiver:
 * one transfer instead of two. That saves one only if what it leaves behind is not worth a sweep of its own.
 */

/** Seconds after which a payout no longer waits for a sweep, and the wallet pays it. */
const waitMax = 300

const readPreparing = all(
  'sweeps-coming',
  `select s.merchant_id, s.asset_id, a.price_of, a.decimals, d.amount
   from sweeps s join assets a on a.id = s.asset_id
   cross join lateral (select coalesce(sum(amount), 0) as amount from deposits where sweep_id = s.id) d
   where s.chain_id = $1 and s.state in ('funding', 'funded') and a.contract is not null
   order by s.created_at, s.id limit 50`,
)

/**
 * Leaves out what sweeps that are being prepared will pay, one payout each. Nothing waits for that longer than five
 * minutes.
 */
export async function excludeDirectPayouts(deps: Deps, chainId: string, payouts: readonly Payout[]): Promise<Payout[]> {
  const chain = deps.chains.get(chainId)
  if (!chain || !isPayable(chain)) return [...payouts]
  const { isDust } = getSweepStrategy(chain)
  if (!isDust) return [...payouts]
  const sweeps = await readPreparing(deps.pool, chainId)
  // With a treasury, deposit addresses pay nobody.
  if (sweeps.length === 0 || (await deps.signer.treasury(chainId).catch(() => null))) return [...payouts]
  const rest = new Set(payouts)
  for (const sweep of sweeps) {
    for (const payout of rest) {
      const isOwn = payout.merchant_id === sweep.merchant_id && payout.asset_id === sweep.asset_id
      if (!isOwn || deps.clock() - payout.since >= waitMax) continue
      if (!(await isDust(deps, chain, sweep, sweep.amount - 1n - payout.amount))) continue
      rest.delete(payout)
      break
    }
  }
  return [...rest]
}
