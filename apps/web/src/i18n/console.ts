import { area } from './area.ts'

/** The message areas of the operator's console, which adds them: the back-office does not load their names. */
export const consoleAreas = {
  operator: area({ en: () => import('./en/operator.ts'), 'zh-CN': () => import('./zh-CN/operator.ts') }),
  dialogs: area({
    en: () => import('./generated/dialogs-en.ts'),
    'zh-CN': () => import('./generated/dialogs-zh-CN.ts'),
  }),
  actions: area({ en: () => import('./en/actions.ts'), 'zh-CN': () => import('./zh-CN/actions.ts') }),
  support: area({ en: () => import('./en/support.ts'), 'zh-CN': () => import('./zh-CN/support.ts') }),
  'operator-alerts': area({
    en: () => import('./en/operator-alerts.ts'),
    'zh-CN': () => import('./zh-CN/operator-alerts.ts'),
  }),
  incidents: area({ en: () => import('./en/incidents.ts'), 'zh-CN': () => import('./zh-CN/incidents.ts') }),
}
