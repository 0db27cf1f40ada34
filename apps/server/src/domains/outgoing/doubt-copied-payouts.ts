import type { Deps } from '../../deps.ts'
import { copySwitch } from '../../kit/copy-switch.ts'
import { run, tx } from '../../kit/db.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { createSendingFor } from './kinds.ts'
import type { PayableChain } from './sender.ts'

/** Why a payout waits for a person in a database that was restored. */
export const copiedPayoutReason = 'the database was restored'

/** Ends the doubt about a chain, which a copied database is held with. */
const endDoubt = run('copy-doubt-end', `delete from switches where name = '${copySwitch}:' || $1`)
/**
 * Moves the counters of wallets beyond what the signer may have signed after the restored state. On chains without
 * nonces they only name transactions, so that a gap holds up nothing.
 */
const skipNumbers = run('copy-skip-numbers', 'update wallets set next_nonce = next_nonce + $2 where chain_id = $1')
const skippedNumbers = 1_000_000
/** Payouts moved at a time. */
const doubtedMax = 500

/**
 * Makes the payouts of a restored database on a chain that have no transaction abnormal, once, also those that
 * something holds up now or that wait for an approval: the original may have paid each after the state that was
 * restored, so that a person decides, and no merchant takes back or approves again what was paid. Runs before any nonce
 * is taken.
 */
export async function doubtCopiedPayouts(deps: Deps, chain: PayableChain, owners: OutgoingOwners): Promise<void> {
  const chainId = chain.definition.id
  const doubted = await tx(deps.pool, async (c, uow) => {
    if ((await endDoubt(c, chainId)) === 0) return 0
    if (!createSendingFor(chain).nonces) await skipNumbers(c, chainId, skippedNumbers)
    let count = 0
    for (const owner of Object.values(owners)) {
      const unsent = await owner.unassigned(c, chainId, doubtedMax)
      if (unsent.length === 0) continue
      await owner.failed(uow, unsent, copiedPayoutReason)
      count += unsent.length
      // The rest stays in doubt until the next pass.
      if (unsent.length === doubtedMax) await continueDoubt(c, chainId, deps.clock())
    }
    return count
  })
  if (doubted > 0) deps.log.warn({ chain: chainId, doubted }, 'payouts of a restored database wait for a person')
}

const continueDoubt = run(
  'copy-doubt-continue',
  `insert into switches (name, reason, since) values ('${copySwitch}:' || $1, '', $2) on conflict do nothing`,
)
