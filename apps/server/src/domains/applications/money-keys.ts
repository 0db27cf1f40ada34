import { applicationStatus } from '@coffer/contract/codes.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { type Application, lockApplication } from './store.ts'

/** Rights of a key that take money out, or say that money was received. Owners alone give them. */
const moneyRights = ['refunds_allowed', 'payouts_allowed', 'marks_allowed'] as const
const otherRights = ['read_allowed', 'orders_allowed', 'settings_allowed', 'endpoints_allowed'] as const
type Rights = Partial<Pick<Application, (typeof moneyRights)[number]>>
type Change = Partial<Application> & { status?: number | undefined }

const movesMoney = (rights: Rights): boolean => moneyRights.some(right => rights[right] === true)

/** Requests of a key have no session: what a key may do is checked by its scopes. */
const isOwner = ({ session }: Visitor): boolean => session?.role === undefined || session.role === 'owner'

const createMoneyKeyRefusal = () =>
  new Refusal('forbidden', {
    detail: {
      en: 'owners alone give a key refunds, payouts or marks, and change where such a key works from or calls back',
      'zh-CN': '仅所有者可授予密钥退款、提现或标记支付的权限，以及变更此类密钥的使用来源和回调去向',
    },
  })

/** Refuses a key with rights to money to whoever is no owner. @throws Refusal('forbidden') */
export function assertMayGiveRights(from: Visitor, rights: Rights): void {
  if (!isOwner(from) && movesMoney(rights)) throw createMoneyKeyRefusal()
}

/**
 * Refuses whoever is no owner what would hold of a key that moves money: its secret, callbacks, rates and shops. Locks
 * the application.
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
 * Refuses whoever is no owner to give a key rights to money, and to let one that has them do more, from more addresses,
 * or again. What takes rights away is open to all who may edit. @throws Refusal('forbidden')
 */
export function assertMayEditKey(from: Visitor, locked: Application, changes: Change): void {
  if (isOwner(from)) return
  const gains = (right: keyof Application) => changes[right] === true && !locked[right]
  if (moneyRights.some(gains)) throw createMoneyKeyRefusal()
  if (!movesMoney(locked)) return
  const { status, ip_whitelist_enabled, ip_whitelist } = changes
  const isEnabled = status === applicationStatus.enabled && locked.status !== status
  const isOpened =
    ip_whitelist_enabled === false || ip_whitelist?.some(address => !locked.ip_whitelist.includes(address)) === true
  if (isEnabled || isOpened || otherRights.some(gains)) throw createMoneyKeyRefusal()
}
