/**
 * Every area of messages, once. English is the source; the second loader must give the same keys, or this file does
 * not compile. To add an area: en/<area>.ts, zh-CN/<area>.ts and one line here.
 */
const area = <M>(en: () => Promise<{ default: M }>, zh: () => Promise<{ default: NoInfer<M> }>) => ({ en, 'zh-CN': zh })

export const areas = {
  common: area(
    () => import('./en/common.ts'),
    () => import('./zh-CN/common.ts'),
  ),
  shell: area(
    () => import('./en/shell.ts'),
    () => import('./zh-CN/shell.ts'),
  ),
  dashboard: area(
    () => import('./en/dashboard.ts'),
    () => import('./zh-CN/dashboard.ts'),
  ),
  payments: area(
    () => import('./en/payments.ts'),
    () => import('./zh-CN/payments.ts'),
  ),
  ledger: area(
    () => import('./en/ledger.ts'),
    () => import('./zh-CN/ledger.ts'),
  ),
  statistics: area(
    () => import('./en/statistics.ts'),
    () => import('./zh-CN/statistics.ts'),
  ),
  login: area(
    () => import('./en/login.ts'),
    () => import('./zh-CN/login.ts'),
  ),
  onboarding: area(
    () => import('./en/onboarding.ts'),
    () => import('./zh-CN/onboarding.ts'),
  ),
  applications: area(
    () => import('./en/applications.ts'),
    () => import('./zh-CN/applications.ts'),
  ),
  identity: area(
    () => import('./en/identity.ts'),
    () => import('./zh-CN/identity.ts'),
  ),
  callbacks: area(
    () => import('./en/callbacks.ts'),
    () => import('./zh-CN/callbacks.ts'),
  ),
}

export type Area = keyof typeof areas
export type Messages<A extends Area> = Awaited<ReturnType<(typeof areas)[A]['en']>>['default']
