import type { Language } from '../languages.ts'

/** Roles of a shop's members. Who opens a shop is its owner; alone, nothing of roles shows. */
export const merchantRoleNames = ['owner', 'finance', 'developer', 'support', 'clerk', 'viewer'] as const
export type MerchantRole = (typeof merchantRoleNames)[number]

/** Returns a stored role; undefined for one that is not known, which may do nothing. */
export const asMerchantRole = (text: string): MerchantRole | undefined => merchantRoleNames.find(name => name === text)

/** Whether a role sees only what the person collected, at the counter and by links, and nothing else of the shop. */
export const seesOwnPaymentsOnly = (role: MerchantRole): boolean => role === 'clerk'

/** Whether a role gives payers money back only within the limit of the person. */
export const refundsWithinLimit = (role: MerchantRole): boolean => role === 'support'

/** What a role is called, and what it may do, in words. */
export const merchantRoleTexts: Record<
  MerchantRole,
  { name: Record<Language, string>; may: Record<Language, string> }
> = {
  owner: {
    name: { en: 'Owner', 'zh-CN': '所有者' },
    may: { en: 'everything, and the people', 'zh-CN': '全部权限，并管理成员' },
  },
  finance: {
    name: { en: 'Finance', 'zh-CN': '财务' },
    may: {
      en: 'sees everything, and moves money within the policy',
      'zh-CN': '可查看全部内容，并在策略范围内动用资金',
    },
  },
  developer: {
    name: { en: 'Developer', 'zh-CN': '开发' },
    may: {
      en: 'applications, keys that move no money, callbacks and test orders',
      'zh-CN': '应用、不能动用资金的密钥、回调和测试订单',
    },
  },
  support: {
    name: { en: 'Support', 'zh-CN': '客服' },
    may: { en: 'sees payments, and refunds within a limit', 'zh-CN': '可查看收款，并在限额内退款' },
  },
  clerk: {
    name: { en: 'Clerk', 'zh-CN': '收银员' },
    may: { en: 'collects, and sees what this person collected', 'zh-CN': '收款，仅可查看本人的收款' },
  },
  viewer: {
    name: { en: 'Viewer', 'zh-CN': '只读' },
    may: { en: 'sees everything, changes nothing', 'zh-CN': '可查看全部内容，不可操作' },
  },
}

/**
 * Roles that are given without a session of an owner, by a key or by the operator: they move no money, make no keys,
 * and refund nothing until an owner gives a limit.
 */
export const rolesWithoutSession = ['support', 'clerk', 'viewer'] as const satisfies MerchantRole[]

/** Every member, whatever the role: what a page needs to be drawn. */
export const everyRole = merchantRoleNames
export const ownerRoles = ['owner'] as const
/** Move money, and say where it may go. */
export const moneyRoles = ['owner', 'finance'] as const
/** Give payers money back; support within its limit. */
export const refundingRoles = ['owner', 'finance', 'support'] as const
/** Applications, keys, callbacks and shops. What a key may do limits what a developer may change of it. */
export const integratingRoles = ['owner', 'developer'] as const
/** Take money at the counter and by payment links; clerks see what they collected. */
export const collectingRoles = ['owner', 'finance', 'support', 'clerk'] as const
/** Ask the operator. */
export const assistingRoles = ['owner', 'finance', 'developer', 'support'] as const

/** Read everything of a shop: balances, books, payouts, exports. */
export const readingRoles = ['owner', 'finance', 'viewer'] as const
export const statisticsRoles = ['owner', 'finance', 'viewer'] as const
export const integrationReadingRoles = ['owner', 'finance', 'developer', 'viewer'] as const
export const refundReadingRoles = ['owner', 'finance', 'support', 'viewer'] as const
/** See payments; clerks see what they collected. */
export const paymentReadingRoles = ['owner', 'finance', 'developer', 'support', 'clerk', 'viewer'] as const
/** See payment links; clerks see their own. */
export const linkReadingRoles = ['owner', 'finance', 'support', 'clerk', 'viewer'] as const
/** See callbacks and work orders: everybody but who stands at the counter. */
export const officeRoles = ['owner', 'finance', 'developer', 'support', 'viewer'] as const
