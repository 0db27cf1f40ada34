import { languages } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { newId, newMchid } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from './record-event.ts'
import { insertMerchant, lockMerchant, type Merchant, mchidIsTaken } from './store.ts'

/** Creates a merchant; returns undefined when the email address is taken. */
export async function addMerchant(
  deps: Deps,
  uow: UnitOfWork,
  input: Pick<Merchant, 'email' | 'name' | 'password_hash'> & { from: Visitor },
): Promise<Merchant | undefined> {
  const { c } = uow
  const { from, ...fields } = input
  const id = newId()
  let mchid = newMchid()
  while (await mchidIsTaken(c, mchid)) mchid = newMchid()
  const language = languages[from.language].tag
  const added = await insertMerchant(c, { ...fields, id, mchid, language, created_at: deps.clock() })
  if (!added) return undefined
  recordEvent(deps, uow, { merchantId: id, type: 'registered', from })
  return lockMerchant(c, id)
}
