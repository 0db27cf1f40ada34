import { guardedSettings } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isTaken } from '../../kit/taken.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { type ApplicationSettings, checkLogos, type GivenSettings, onlyGiven } from './create-application.ts'
import { applicationById, changeApplication } from './store.ts'

/**
 * Changes the given settings and sets the status: enabled (1) or disabled (2). Changing one of `guardedSettings`
 * requires a proof. `setNotifyUrl` changes the callback URL.
 */
export async function editApplication(
  deps: Deps,
  input: {
    merchantId: string
    appid: string
    settings: Omit<GivenSettings, 'notify_url'>
    status?: number | undefined
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId, appid, status } = input
  const settings: Partial<ApplicationSettings> = onlyGiven(input.settings)
  if (settings.name !== undefined) settings.name = settings.name.trim()
  await throttleChanges(deps, merchantId)
  const before = await applicationById(deps.pool, merchantId, appid)
  if (!before) throw new Refusal('application_not_exist')
  const isNew = (name: keyof ApplicationSettings) =>
    settings[name] !== undefined && JSON.stringify(settings[name]) !== JSON.stringify(before[name])
  const consume = guardedSettings.some(isNew)
    ? await checkProof(deps, { merchantId, proof: input.proof, action: 'application' })
    : undefined
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    await checkLogos(c, merchantId, settings)
    const changes = status === undefined ? settings : { ...settings, status }
    if (!(await changeApplication(c, merchantId, appid, changes))) throw new Refusal('application_not_exist')
    await consume?.(c)
    recordEvent(deps, uow, { merchantId, type: 'application_changed', from: input.from })
  }).catch(error => {
    throw isTaken(error, 'applications_name') ? new Refusal('name_duplicate', { field: 'name' }) : error
  })
}
