import { isSelfClosingIncident } from '@coffer/contract/incidents/steps.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { insertIncidentEntry, lockIncident, resolveIncident } from './store.ts'

/**
 * Whether an operator closes an incident of a kind. The chain of a deep reorg is resumed instead; a token on hold is
 * released or refused; others end with their cause.
 */
export const isClosable = (kind: string): boolean =>
  !/^deep_reorg$|^token_(differs|unknown)$/.test(kind) && !isSelfClosingIncident(kind)

/**
 * Closes an incident, which an operator has looked into, and its parts, once it is agreed. A difference that persists
 * is reported again. Throws Refusal('operation_failed') without such an open incident, and for one that ends otherwise.
 */
export const closeIncident = (
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { id, who, reason, agree }: { id: string; who: string; reason: string; agree?: AgreementCheck },
): Promise<{ waits: boolean }> =>
  tx(pool, async c => {
    const incident = await lockIncident(c, id)
    if (!incident || !isClosable(incident.kind)) throw new Refusal('operation_failed', { field: 'incident' })
    if ((await agree?.(c)) === 'waits') return { waits: true }
    await resolveIncident(c, id, clock())
    await insertIncidentEntry(c, incident.part_of ?? id, 'closed', who, reason, clock())
    return { waits: false }
  })
