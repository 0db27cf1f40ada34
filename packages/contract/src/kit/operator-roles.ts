import type { Language } from '../languages.ts'

/** Roles of operators, from the one that may only read to the one that may do everything. */
export const operatorRoleNames = ['viewer', 'support', 'finance', 'owner'] as const
export type OperatorRole = (typeof operatorRoleNames)[number]

/** Returns a stored role; undefined for one that is not known, which may do nothing. */
export const asOperatorRole = (text: string): OperatorRole | undefined => operatorRoleNames.find(name => name === text)

/** What a role is called, and what it may do, in words. */
export const operatorRoleTexts: Record<
  OperatorRole,
  { name: Record<Language, string>; may: Record<Language, string> }
> = {
  viewer: {
    name: { en: 'Viewer', 'zh-CN': '只读' },
    may: { en: 'reads everything, changes nothing', 'zh-CN': '可查看全部内容，不可操作' },
  },
  support: {
    name: { en: 'Support', 'zh-CN': '客服' },
    may: { en: 'merchants, callbacks, announcements and work orders', 'zh-CN': '商户、回调、公告和工单' },
  },
  finance: {
    name: { en: 'Finance', 'zh-CN': '财务' },
    may: { en: 'withdrawals, fees, limits, wallets and chains', 'zh-CN': '提现、费率、限额、钱包和网络' },
  },
  owner: {
    name: { en: 'Owner', 'zh-CN': '所有者' },
    may: { en: 'everything, and the operators', 'zh-CN': '全部权限，并管理运营人员' },
  },
}

/** Everybody who may read the whole console. */
export const readingRoles = ['viewer', 'support', 'finance', 'owner'] as const
export const ownerRoles = ['owner'] as const
export const supportRoles = ['support', 'owner'] as const
export const financeRoles = ['finance', 'owner'] as const
/** Everybody who may change something. */
export const editingRoles = ['support', 'finance', 'owner'] as const

/** How long (s) a code of the authenticator counts as fresh. */
export const freshCodeSeconds = 300
