import { notificationType } from '@coffer/contract/codes.ts'
import { insertForEverybody } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { ChainRow } from './store.ts'

/** Tells every merchant about a chain, within the transaction that changed it; it also runs through the ticker. */
export const tellEverybody = (
  uow: UnitOfWork,
  message: 'chain_halted' | 'chain_resumed',
  { definition }: Pick<ChainRow, 'definition'>,
  now: number,
) =>
  insertForEverybody(uow, {
    types: notificationType.announcement,
    message,
    params: { chain: definition.name },
    created_at: now,
  })
