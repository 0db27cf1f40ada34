import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { type Ancestor, haltOrResume, lockChain, readDeepReorgIncident, resolveIncident } from '../chains/store.ts'
import { reopenTransactionsAbove } from '../outgoing/reopen.ts'
import { unwindToAncestor } from './apply-reorg.ts'
import { depositsAbove } from './store.ts'

/**
 * Resumes a chain that a deep reorg halted, from the common ancestor, once the operator has investigated. Seen deposits
 * above it are dropped; credited deposits stay credited and in doubt until they are seen again or `undoDeposit`
 * reverses them. Transactions of ours that were final above it are sent again. Returns undefined while it waits for a
 * second person. Throws Refusal('operation_failed') when the chain is not halted by a deep reorg.
 */
export async function resumeChain(
  deps: Deps,
  { chainId, agree }: { chainId: string; agree?: AgreementCheck },
): Promise<Ancestor | undefined> {
  return tx(deps.pool, async (c, uow) => {
    const chain = await lockChain(c, chainId)
    const incident = await readDeepReorgIncident(c, chainId)
    if (!chain?.halted || !incident) throw new Refusal('operation_failed', { field: 'chain' })
    if ((await agree?.(c)) === 'waits') return undefined
    const { ancestor } = incident.detail
    // guard: lost-reopened
    const lost = await reopenTransactionsAbove(c, chainId, ancestor.number, deps.clock())
    await unwindToAncestor(deps, uow, chain, ancestor, await depositsAbove(c, chainId, ancestor.number))
    await haltOrResume(uow, chain, null, deps.clock())
    await resolveIncident(c, incident.id, deps.clock())
    deps.log.warn(
      { chain: chainId, ancestor, transactions: lost },
      'chain resumed: transactions of ours are sent again',
    )
    return ancestor
  })
}
