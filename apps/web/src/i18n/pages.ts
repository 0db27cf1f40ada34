import { area } from './area.ts'
import { recordAreas } from './records.ts'

/**
 * The message areas of the back-office, which adds them: signing in does not load their names. To add one, write
 * <language>/<area>.ts for each language and add a line here.
 */
export const pageAreas = {
  ...recordAreas,
  // What phones draw in some places only.
  desktop: area({ en: () => import('./en/desktop.ts'), 'zh-CN': () => import('./zh-CN/desktop.ts') }),
  dashboard: area({ en: () => import('./en/dashboard.ts'), 'zh-CN': () => import('./zh-CN/dashboard.ts') }),
  ledger: area({ en: () => import('./en/ledger.ts'), 'zh-CN': () => import('./zh-CN/ledger.ts') }),
  'fund-flow': area({ en: () => import('./en/fund-flow.ts'), 'zh-CN': () => import('./zh-CN/fund-flow.ts') }),
  reserves: area({ en: () => import('./en/reserves.ts'), 'zh-CN': () => import('./zh-CN/reserves.ts') }),
  billing: area({ en: () => import('./en/billing.ts'), 'zh-CN': () => import('./zh-CN/billing.ts') }),
  'work-orders': area({ en: () => import('./en/work-orders.ts'), 'zh-CN': () => import('./zh-CN/work-orders.ts') }),
  'payment-links': area({
    en: () => import('./en/payment-links.ts'),
    'zh-CN': () => import('./zh-CN/payment-links.ts'),
  }),
  transfers: area({ en: () => import('./en/transfers.ts'), 'zh-CN': () => import('./zh-CN/transfers.ts') }),
  refunds: area({ en: () => import('./en/refunds.ts'), 'zh-CN': () => import('./zh-CN/refunds.ts') }),
  statistics: area({ en: () => import('./en/statistics.ts'), 'zh-CN': () => import('./zh-CN/statistics.ts') }),
  export: area({ en: () => import('./en/export.ts'), 'zh-CN': () => import('./zh-CN/export.ts') }),
  onboarding: area({ en: () => import('./en/onboarding.ts'), 'zh-CN': () => import('./zh-CN/onboarding.ts') }),
  applications: area({ en: () => import('./en/applications.ts'), 'zh-CN': () => import('./zh-CN/applications.ts') }),
  'application-rates': area({
    en: () => import('./en/application-rates.ts'),
    'zh-CN': () => import('./zh-CN/application-rates.ts'),
  }),
  endpoints: area({ en: () => import('./en/endpoints.ts'), 'zh-CN': () => import('./zh-CN/endpoints.ts') }),
  shops: area({ en: () => import('./en/shops.ts'), 'zh-CN': () => import('./zh-CN/shops.ts') }),
  messages: area({ en: () => import('./en/messages.ts'), 'zh-CN': () => import('./zh-CN/messages.ts') }),
  members: area({ en: () => import('./en/members.ts'), 'zh-CN': () => import('./zh-CN/members.ts') }),
  identity: area({ en: () => import('./en/identity.ts'), 'zh-CN': () => import('./zh-CN/identity.ts') }),
  roles: area({ en: () => import('./en/roles.ts'), 'zh-CN': () => import('./zh-CN/roles.ts') }),
  callbacks: area({ en: () => import('./en/callbacks.ts'), 'zh-CN': () => import('./zh-CN/callbacks.ts') }),
  'address-book': area({ en: () => import('./en/address-book.ts'), 'zh-CN': () => import('./zh-CN/address-book.ts') }),
  approvals: area({ en: () => import('./en/approvals.ts'), 'zh-CN': () => import('./zh-CN/approvals.ts') }),
  withdrawals: area({ en: () => import('./en/withdrawals.ts'), 'zh-CN': () => import('./zh-CN/withdrawals.ts') }),
}

/** Those of the sandbox's page, which adds them. */
export const sandboxAreas = {
  sandbox: area({ en: () => import('./en/sandbox.ts'), 'zh-CN': () => import('./zh-CN/sandbox.ts') }),
}
