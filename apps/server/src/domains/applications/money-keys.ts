import { applicationStatus } from '@coffer/contract/codes.ts'
import { all, type Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { type Application, lockApplication } from './store.ts'

/**
 * Rights of a key that take money out, say that money was received, or who belongs to the shop. Owners alone give them.
 */
const ownersRights = ['refunds_allowed', 'payouts_allowed', 'marks_allowed', 'members_allowed'] as const
const otherRights = ['read_allowed', 'orders_allowed', 'settings_allowed', 'endpoints_allowed'] as const
type Rights = Partial<Pick<Application, (typeof ownersRights)[number]>>
type Change = Partial<Application> & { status?: number | undefined }

const needsOwner = (rights: Rights): boolean => ownersRights.some(right => rights[right] === true)

/** Requests of a key have no session: what a key may do is checked by its scopes. */
const isOwner = ({ session }: Visitor): boolean => session?.role === undefined || session.role === 'owner'

const createOwnersKeyRefusal = () =>
  new Refusal('forbidden', {
    detail: {
      en: 'owners alone give a key refunds, payouts, marks or people, and change where such a key works from or calls back',
      'zh-CN': '仅所有者可授予密钥退款、提现、标记支付或成员管理的权限，以及变更此类密钥的使用来源和回调去向',
    },
  })

/** Refuses a key with an owner's rights to whoever is no owner. @throws Refusal('forbidden') */
export function assertMayGiveRights(from: Visitor, rights: Rights): void {
  if (!isOwner(from) && needsOwner(rights)) throw createOwnersKeyRefusal()
}

/**
 * Refuses whoever is no owner what would hold of a key with an owner's rights: its secret, callbacks, rates and shops.
 * Locks the application.
 * @throws Refusal('forbidden') or Refusal('application_not_exist')
 */
export async function requireKeyWithoutMoney(
  c: Queryable,
  { merchantId, appid, from }: { merchantId: string; appid: string; from: Visitor },
): Promise<void> {
  if (isOwner(from)) return
  const locked = await lockApplication(c, merchantId, appid)
  if (!locked) throw new Refusal('application_not_exist')
  assertMayGiveRights(from, locked)
}

/**
 * Refuses whoever is no owner to give a key an owner's rights, and to let one that has them do more, from more
 * addresses, or again. What takes rights away is open to all who may edit. @throws Refusal('forbidden')
 */
export function assertMayEditKey(from: Visitor, locked: Application, changes: Change): void {
  if (isOwner(from)) return
  const gains = (right: keyof Application) => changes[right] === true && !locked[right]
  if (ownersRights.some(gains)) throw createOwnersKeyRefusal()
  if (!needsOwner(locked)) return
  const { status, ip_whitelist_enabled, ip_whitelist } = changes
  const isEnabled = status === applicationStatus.enabled && locked.status !== status
  const isOpened =
    ip_whitelist_enabled === false || ip_whitelist?.some(address => !locked.ip_whitelist.includes(address)) === true
  if (isEnabled || isOpened || otherRights.some(gains)) throw createOwnersKeyRefusal()
}

const ownersAmong = all(
  'application-owners-among',
  `select person_id from members
   where merchant_id = $1 and person_id = any($2) and role = 'owner' and removed_at is null for share`,
)

/**
 * Refuses an owner's rights for a key whose secret, or replaced secret that still works, somebody made who is no owner:
 * that person may have kept it. @throws Refusal('secret_of_no_owner')
 */
export async function requireSecretOfOwner(
  c: Queryable,
  locked: Application,
  changes: Change,
  now: number,
): Promise<void> {
  if (!ownersRights.some(right => changes[right] === true && !locked[right])) return
  const { merchant_id, secret_by, previous_secret_by, previous_key_until } = locked
  const makers = new Set(previous_key_until > now ? [secret_by, previous_secret_by] : [secret_by])
  const owners = await ownersAmong(c, merchant_id, [...makers])
  if (owners.length < makers.size) throw new Refusal('secret_of_no_owner')
}
