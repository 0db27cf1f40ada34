import { area } from './area.ts'
import type { consoleAreas } from './console.ts'
import type { pageAreas, sandboxAreas } from './pages.ts'
import type { signInAreas } from './sign-in.ts'

/** The message areas of every page. Those of signing in are in `sign-in.ts`. */
export const areas = {
  common: area({ en: () => import('./en/common.ts'), 'zh-CN': () => import('./zh-CN/common.ts') }),
  proof: area({ en: () => import('./en/proof.ts'), 'zh-CN': () => import('./zh-CN/proof.ts') }),
}

type Areas = typeof areas & typeof signInAreas & typeof pageAreas & typeof sandboxAreas & typeof consoleAreas
export type Area = keyof Areas
export type Messages<A extends Area> = Awaited<ReturnType<Areas[A]['en']>>['default']
