import type { MerchantRole } from './kit/merchant-roles.ts'
import type { RouteDefinition } from './kit/route.ts'
import { routes } from './routes.ts'

interface MemberCall {
  key: string
  who: readonly string[] | 'oneself'
  summary: string
}

/** Signed-in calls of merchants, in the order of the contract. */
export const memberCalls: readonly MemberCall[] = Object.entries<RouteDefinition>(routes).flatMap(([key, route]) =>
  route.auth === 'token' ? { key, who: route.who, summary: route.summary } : [],
)

/** The calls that a role may not make. */
export const listRefusedCalls = (role: MerchantRole): string[] =>
  memberCalls.flatMap(({ key, who }) => (who === 'oneself' || who.includes(role) ? [] : key))
