import { area } from './area.ts'

/**
 * The message areas of the shells and of the records of payments, which phones open without the names of the others.
 */
export const recordAreas = {
  shell: area({ en: () => import('./en/shell.ts'), 'zh-CN': () => import('./zh-CN/shell.ts') }),
  phone: area({ en: () => import('./en/phone.ts'), 'zh-CN': () => import('./zh-CN/phone.ts') }),
  payments: area({ en: () => import('./en/payments.ts'), 'zh-CN': () => import('./zh-CN/payments.ts') }),
  'payment-columns': area({
    en: () => import('./en/payment-columns.ts'),
    'zh-CN': () => import('./zh-CN/payment-columns.ts'),
  }),
  'payment-details': area({
    en: () => import('./en/payment-details.ts'),
    'zh-CN': () => import('./zh-CN/payment-details.ts'),
  }),
  notifications: area({
    en: () => import('./en/notifications.ts'),
    'zh-CN': () => import('./zh-CN/notifications.ts'),
  }),
}
