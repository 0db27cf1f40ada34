import { area } from './area.ts'
import type { consoleAreas } from './console.ts'
import type { pageAreas, sandboxAreas } from './pages.ts'

/** The message areas of every page, that of signing in among them. */
export const areas = {
  common: area({ en: () => import('./en/common.ts'), 'zh-CN': () => import('./zh-CN/common.ts') }),
  proof: area({ en: () => import('./en/proof.ts'), 'zh-CN': () => import('./zh-CN/proof.ts') }),
  login: area({ en: () => import('./en/login.ts'), 'zh-CN': () => import('./zh-CN/login.ts') }),
  invitation: area({ en: () => import('./en/invitation.ts'), 'zh-CN': () => import('./zh-CN/invitation.ts') }),
  loginMore: area({ en: () => import('./en/loginMore.ts'), 'zh-CN': () => import('./zh-CN/loginMore.ts') }),
}

type Areas = typeof areas & typeof pageAreas & typeof sandboxAreas & typeof consoleAreas
export type Area = keyof Areas
export type Messages<A extends Area> = Awaited<ReturnType<Areas[A]['en']>>['default']
