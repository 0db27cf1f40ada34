import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { insertIncidentEntry, lockIncident, resolveIncident } from './store.ts'

/** Whether an operator closes an incident of a kind. The chain of a deep reorg is resumed instead; a token on hold is released or refused. */
export const isClosable = (kind: string): boolean => !/^deep_reorg$|^token_/.test(kind)

/**
 * Closes an incident, which an operator has looked into, and its parts. A difference that persists is reported again. Throws
 * Refusal('operation_failed') without such an open incident, and for one that ends otherwise.
 */
export const closeIncident = (
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { id, who, reason }: { id: string; who: string; reason: string },
): Promise<void> =>
  tx(pool, async c => {
    const incident = await lockIncident(c, id)
    if (!incident || !isClosable(incident.kind)) throw new Refusal('operation_failed', { field: 'incident' })
    await resolveIncident(c, id, clock())
    await insertIncidentEntry(c, incident.part_of ?? id, 'closed', who, reason, clock())
  })
