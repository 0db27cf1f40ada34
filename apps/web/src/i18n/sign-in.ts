import { area } from './area.ts'

/** The message areas of signing in, which the pages behind it do not name. */
export const signInAreas = {
  login: area({ en: () => import('./en/login.ts'), 'zh-CN': () => import('./zh-CN/login.ts') }),
  invitation: area({ en: () => import('./en/invitation.ts'), 'zh-CN': () => import('./zh-CN/invitation.ts') }),
  loginMore: area({ en: () => import('./en/loginMore.ts'), 'zh-CN': () => import('./zh-CN/loginMore.ts') }),
}
