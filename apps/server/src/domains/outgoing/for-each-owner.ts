import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem, OutgoingOwner, OutgoingOwners, OwnerKind } from '../../owner.ts'
import { type lockOutgoing, readItems } from './store.ts'

/** The columns of a transaction that its block decides. */
export type LockedOutgoing = NonNullable<Awaited<ReturnType<typeof lockOutgoing>>>

/** Calls each owner of what a transaction carries with its items. */
export async function forEachOwner(
  owners: OutgoingOwners,
  uow: UnitOfWork,
  of: LockedOutgoing,
  call: (
    owner: OutgoingOwner,
    items: readonly (OutgoingItem & { stopped: boolean })[],
    kind: OwnerKind,
  ) => Promise<void>,
): Promise<void> {
  for (const [kind, items] of await readItems(uow.c, of)) {
    const owner = owners[kind]
    if (!owner) throw new Error(`nothing handles outgoing ${kind}s`)
    await call(owner, items, kind)
  }
}
