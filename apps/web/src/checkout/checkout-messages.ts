export type CheckoutMessages = typeof import('../i18n/en/checkout.ts').default

export const checkoutMessageTables = {
  en: () => import('../i18n/en/checkout.ts'),
  'zh-CN': () => import('../i18n/zh-CN/checkout.ts'),
}
