import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { newId, newMchid } from '../../kit/ids.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from './record-event.ts'
import { insertMerchant, lockMerchant, type Merchant, mchidIsTaken } from './store.ts'

/** Creates a merchant; returns undefined when the email address is taken. */
export async function addMerchant(
  deps: Deps,
  c: Queryable,
  input: Pick<Merchant, 'email' | 'name' | 'password_hash'> & { from: Visitor },
): Promise<Merchant | undefined> {
  const { from, ...fields } = input
  const id = newId()
  let mchid = newMchid()
  while (await mchidIsTaken(c, mchid)) mchid = newMchid()
  const added = await insertMerchant(c, { ...fields, id, mchid, language: from.language, created_at: deps.clock() })
  if (!added) return undefined
  await recordEvent(deps, c, { merchantId: id, type: 'registered', from })
  return lockMerchant(c, id)
}
