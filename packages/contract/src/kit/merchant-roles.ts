import type { Language } from '../languages.ts'

/** Roles of a shop's members. Who opens a shop is its owner; alone, nothing of roles shows. */
export const merchantRoleNames = ['owner', 'finance', 'developer', 'support', 'clerk', 'viewer'] as const
export type MerchantRole = (typeof merchantRoleNames)[number]

/** Returns a stored role; undefined for one that is not known, which may do nothing. */
export const asMerchantRole = (text: string): MerchantRole | undefined => merchantRoleNames.find(name => name === text)

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
