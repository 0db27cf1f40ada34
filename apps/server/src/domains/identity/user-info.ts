import type { Data } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { delayedChains } from '../chains/chain-delay.ts'
import { merchantById } from '../merchants/store.ts'
import { waysToProve } from './check-proof.ts'

/** Returns the signed-in merchant for display. */
export async function userInfo(deps: Deps, input: { merchantId: string }): Promise<Data<'GET /api/v1/user/info'>> {
  const merchant = await merchantById(deps.pool, input.merchantId)
  if (!merchant) throw new Refusal('login_expired')
  const { address, socials } = merchant
  return {
    name: merchant.name,
    email: merchant.email,
    status: merchant.status,
    audit_reason: merchant.audit_reason,
    mchid: merchant.mchid,
    bind_google_auth: merchant.authenticator_secret !== null,
    phone: merchant.phone,
    area_code: merchant.area_code,
    password: merchant.password_hash !== null,
    security_switch: waysToProve(merchant),
    time_zone: merchant.time_zone,
    address: { street: address.street ?? '', city: address.city ?? '', country: address.country ?? '' },
    socials: { telegram: socials.telegram ?? '', twitter: socials.twitter ?? '', facebook: socials.facebook ?? '' },
    website: merchant.website,
    created_time: merchant.created_at,
    delayed_chains: await delayedChains(deps.pool, deps.clock()),
  }
}
