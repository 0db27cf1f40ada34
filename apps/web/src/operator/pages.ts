import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from '../ui/icons.tsx'
import type { Texts } from './texts.ts'

interface PageEntry {
  path: string
  name: keyof Texts['menu']
  icon: IconName
  Page: LazyExoticComponent<ComponentType>
}

/** The pages of the console in the order of the menu. */
export const pages: readonly PageEntry[] = [
  { path: 'operators', name: 'operators', icon: 'user', Page: lazy(() => import('./pages/Operators.tsx')) },
  { path: 'log', name: 'log', icon: 'list', Page: lazy(() => import('./pages/Log.tsx')) },
]
