import type { KeyScope } from '../kit/key-scopes.ts'
import type { Language } from '../languages.ts'

/** Names of the scopes of keys. */
export const keyScopeLabels: Record<Language, Record<KeyScope, string>> = {
  en: {
    read: 'Read',
    orders: 'Orders',
    refunds: 'Refunds',
    payouts: 'Payouts',
    settings: 'Settings',
    members: 'People',
  },
  'zh-CN': { read: '查询', orders: '订单', refunds: '退款', payouts: '付款', settings: '设置', members: '成员' },
}
