import type { ChainDefinition } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { insertAddress, takeIndex } from './store.ts'

/** Gives out the next address of the key tree. */
export async function newAddress(
  deps: Deps,
  c: Queryable,
  of: { merchantId: string; kind: ChainDefinition['kind']; purpose: 'lease' | 'fixed'; now: number },
): Promise<string> {
  const index = await takeIndex(c, of.kind)
  const address = deps.addressAt(of.kind, index)
  await insertAddress(c, {
    chain_kind: of.kind,
    address,
    key_index: index,
    merchant_id: of.merchantId,
    purpose: of.purpose,
    created_at: of.now,
  })
  return address
}
