import type { RouteData } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordPersonEvent } from '../merchants/account-events.ts'
import { assertMerchantNotFrozen } from '../merchants/active-merchant.ts'
import { accountsOfPerson } from '../merchants/store.ts'
import { moveSession, noteMemberUse } from '../people/sessions.ts'
import { countOwnersOfShop } from '../people/store.ts'
import { asRole } from './list-members.ts'
import { lockPart } from './store.ts'

/** Lists the shops that the signed-in person belongs to, and whether the present one may be left. */
export const readShops = async (
  { pool }: Pick<Deps, 'pool'>,
  { personId, merchantId, role: ownRole }: Session,
): Promise<RouteData<'GET /api/v1/member/shop'>> => ({
  list: (await accountsOfPerson(pool, personId)).map(({ id, mchid, name, role }) => ({
    mchid,
    name,
    role: asRole(role),
    current: id === merchantId,
  })),
  may_leave: ownRole !== 'owner' || (await countOwnersOfShop(pool, merchantId)) > 1,
})

/**
 * Works for another shop in the same session, whose new token is returned: whoever still has the one before, such as
 * another tab, does nothing for a shop that it does not show. Throws Refusal('member_not_exist') for a shop that the
 * person does not belong to.
 */
export const switchShop = (
  deps: Deps,
  { session, mchid, from }: { session: Session; mchid: string; from: Visitor },
): Promise<{ token: string }> =>
  tx(deps.pool, async (c, uow) => {
    // The lock waits for a removal, which ends the sessions for its shop.
    const shop = await lockPart(c, session.personId, mchid)
    if (!shop) throw new Refusal('member_not_exist', { field: 'mchid' })
    assertMerchantNotFrozen(deps, shop, 'account_frozen')
    const token = newSecret()
    if (!(await moveSession(c, session.tokenHash, hashSecret(token), shop.id))) throw new Refusal('login_expired')
    await noteMemberUse(c, session.personId, shop.id, deps.clock())
    recordPersonEvent(deps, uow, { personId: session.personId, type: 'shop_opened', subject: mchid, from })
    return { token }
  })
