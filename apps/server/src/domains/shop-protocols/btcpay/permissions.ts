import { btcpayPermissionsOf } from '@coffer/contract/codes/shops.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { ShopCaller } from '../use-connection.ts'

/** A permission of the Greenfield API, without `btcpay.store.`. */
export type BtcpayPermission =
  | 'canviewinvoices'
  | 'cancreateinvoice'
  | 'canmodifyinvoices'
  | 'canviewstoresettings'
  | 'canmodifystoresettings'
  | 'webhooks.canmodifywebhooks'
  | 'cancreatenonapprovedpullpayments'

/**
 * The permissions that one includes, as BTCPay Server defines them, but that settings include no refunds: money is
 * requested by name.
 */
const included: Partial<Record<BtcpayPermission, BtcpayPermission[]>> = {
  canmodifystoresettings: ['canviewstoresettings', 'canmodifyinvoices', 'webhooks.canmodifywebhooks'],
  canviewstoresettings: ['canviewinvoices'],
  canmodifyinvoices: ['canviewinvoices', 'cancreateinvoice'],
}

const includes = (has: string, needed: BtcpayPermission): boolean =>
  has === needed || (included[has as BtcpayPermission] ?? []).some(each => includes(each, needed))

/** Verifies that the caller's key has a permission or one that includes it. @throws Refusal('forbidden') */
export function requireBtcpayPermission(
  { connection: { id, permissions } }: ShopCaller,
  needed: BtcpayPermission,
): void {
  const own = btcpayPermissionsOf(id, permissions).map(each => each.slice('btcpay.store.'.length, -(id.length + 1)))
  if (own.some(each => includes(each, needed))) return
  const missingPermission = `btcpay.store.${needed}`
  throw new Refusal('forbidden', {
    detail: { en: `the key lacks ${missingPermission}`, 'zh-CN': `密钥缺少权限 ${missingPermission}` },
    data: { missingPermission },
  })
}
