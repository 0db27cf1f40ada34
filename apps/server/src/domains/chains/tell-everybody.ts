import { notificationType } from '@coffer/contract/codes.ts'
import type { Queryable } from '../../kit/db.ts'
import { insertForEverybody } from '../../kit/outbox.ts'
import type { ChainRow } from './store.ts'

/** Tells every merchant about a chain, within the transaction that changed it; it also runs through the ticker. */
export const tellEverybody = (
  c: Queryable,
  message: 'chain_halted' | 'chain_resumed',
  { definition }: Pick<ChainRow, 'definition'>,
  now: number,
) =>
  insertForEverybody(c, {
    types: notificationType.announcement,
    message,
    params: { chain: definition.name },
    created_at: now,
  })
