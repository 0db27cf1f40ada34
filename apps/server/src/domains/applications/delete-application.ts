import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { changeApplication } from './store.ts'

/** Deletes an application. Its key stops working at once; its payments and records stay. */
export async function deleteApplication(
  deps: Deps,
  input: { merchantId: string; appid: string; proof?: Proof | undefined; from: Visitor },
): Promise<void> {
  const { merchantId, appid } = input
  const consume = await checkProof(deps, { merchantId, proof: input.proof, action: 'application' })
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    if (!(await changeApplication(c, merchantId, appid, { deleted_at: deps.clock() })))
      throw new Refusal('application_not_exist')
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: 'application_deleted', from: input.from })
  })
}
