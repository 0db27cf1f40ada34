import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lockIncident, resolveIncident } from '../chains/store.ts'

/**
 * The operator has dealt with an incident. What is still so is found and recorded again. Throws
 * Refusal('operation_failed') when there is none of that id that is open, and for a chain that was halted: `resumeChain`.
 */
export async function closeIncident(deps: Pick<Deps, 'pool' | 'clock'>, { id }: { id: string }): Promise<void> {
  await tx(deps.pool, async c => {
    const incident = await lockIncident(c, id)
    if (!incident || incident.kind === 'deep_reorg') throw new Refusal('operation_failed', { field: 'incident' })
    await resolveIncident(c, id, deps.clock())
  })
}
