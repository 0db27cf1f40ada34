import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lockIncident, resolveIncident } from './store.ts'

/**
 * Closes an incident, which an operator has looked into. A difference that persists is reported again. Throws
 * Refusal('operation_failed') without such an open incident, for a deep reorg, whose chain is resumed instead, and for a token on hold, which is
 * released or refused.
 */
export const closeIncident = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>, { id }: { id: string }): Promise<void> =>
  tx(pool, async c => {
    const incident = await lockIncident(c, id)
    if (!incident || /^deep_reorg$|^token_/.test(incident.kind))
      throw new Refusal('operation_failed', { field: 'incident' })
    await resolveIncident(c, id, clock())
  })
