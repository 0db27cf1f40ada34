import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { checkNotifyUrl } from './check-notify-url.ts'
import { changeApplication } from './store.ts'

/** Changes the callback URL of an application; an empty one disables callbacks. Requires a proof. */
export async function setNotifyUrl(
  deps: Deps,
  input: { merchantId: string; appid: string; notify_url: string; proof?: Proof | undefined; from: Visitor },
): Promise<void> {
  const { merchantId, appid, notify_url } = input
  await checkNotifyUrl(deps, notify_url)
  const consume = await checkProof(deps, { merchantId, proof: input.proof, action: 'notify-url' })
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = await lockActiveMerchant(c, merchantId, { approved: true })
    if (!(await changeApplication(c, merchantId, appid, { notify_url }))) throw new Refusal('application_not_exist')
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: 'notify_url_changed', from: input.from, params: { appid } })
    return locked
  })
  mailEvent(deps, merchant, 'notify_url_changed', appid)
}
