import { type RouteKey, routes } from '@coffer/contract'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { LiveHint } from '../../../kit/live.ts'

/** What is read again after a hint: a role that may not read it is sent none. */
const readAfter = {
  payment: 'GET /api/v1/transactions/list',
  deposit: 'GET /api/v1/transactions/list',
  callback: 'GET /api/v1/callback/list',
  notification: 'GET /api/v1/message',
  balance: 'GET /api/v1/statistics/assets',
  withdrawal: 'GET /api/v1/account/withdrawal-list',
  link: 'GET /api/v1/payment-link',
  account: 'GET /api/v1/user/info',
} as const satisfies Record<LiveHint['type'], RouteKey>

/** Whether a role may hear that something of a type changed. */
export function mayHear(role: MerchantRole, type: LiveHint['type']): boolean {
  const { who }: { who: readonly MerchantRole[] | 'oneself' } = routes[readAfter[type]]
  return who === 'oneself' || who.includes(role)
}
