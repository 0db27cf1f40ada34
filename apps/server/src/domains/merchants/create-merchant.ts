import { languages } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { newId, newMchid } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from './account-events.ts'
import { countMerchantsByMchid, insertMerchant, lockMerchant, type Merchant } from './store.ts'

/** Creates a merchant; returns undefined when the email is taken. */
export async function createMerchant(
  deps: Deps,
  uow: UnitOfWork,
  {
    from,
    time_zone = 'UTC',
    ...fields
  }: Pick<Merchant, 'email' | 'name' | 'password_hash'> & { time_zone?: string | undefined; from: Visitor },
): Promise<Merchant | undefined> {
  const id = newId()
  let mchid = newMchid()
  while (await countMerchantsByMchid(uow.c, mchid)) mchid = newMchid()
  const language = languages[from.language].tag
  if (!(await insertMerchant(uow.c, { ...fields, id, mchid, time_zone, language, created_at: deps.clock() })))
    return undefined
  recordEvent(deps, uow, { merchantId: id, type: 'registered', from })
  return lockMerchant(uow.c, id)
}
