import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Messages } from '../i18n/areas.ts'
import type { IconName } from '../ui/icons.tsx'

interface PageEntry {
  path: string
  name: keyof Messages<'operator'>['menu']
  icon: IconName
  Page: LazyExoticComponent<ComponentType>
}

/** The pages of the console in the order of the menu. */
export const pages: readonly PageEntry[] = [
  { path: '', name: 'today', icon: 'home', Page: lazy(() => import('./pages/Today.tsx')) },
  { path: 'merchants', name: 'merchants', icon: 'user', Page: lazy(() => import('./pages/Merchants.tsx')) },
  { path: 'withdrawals', name: 'withdrawals', icon: 'withdraw', Page: lazy(() => import('./pages/Withdrawals.tsx')) },
  { path: 'orders', name: 'orders', icon: 'ticket', Page: lazy(() => import('./pages/Orders.tsx')) },
  {
    path: 'announcements',
    name: 'announcements',
    icon: 'bell',
    Page: lazy(() => import('./pages/Announcements.tsx')),
  },
  { path: 'money', name: 'money', icon: 'wallet', Page: lazy(() => import('./pages/Money.tsx')) },
  { path: 'chains', name: 'chains', icon: 'warning', Page: lazy(() => import('./pages/Chains.tsx')) },
  { path: 'queues', name: 'queues', icon: 'webhook', Page: lazy(() => import('./pages/Queues.tsx')) },
  { path: 'operators', name: 'operators', icon: 'shield', Page: lazy(() => import('./pages/Operators.tsx')) },
  { path: 'log', name: 'log', icon: 'list', Page: lazy(() => import('./pages/Log.tsx')) },
]
