import { refundLinkRoutes } from '@coffer/contract/refunds/links.ts'
import { refundRoutes } from '@coffer/contract/refunds/routes.ts'
import { refundKeyRoutes } from '@coffer/contract/withdrawals/key-routes.ts'
import { defineDomain } from '../../domain.ts'
import { expireRefundLinks } from './end-link.ts'
import { refundKeyHandlers } from './key-routes.ts'
import { refundLinkHandlers } from './link-routes.ts'
import { refundOwner } from './owner.ts'
import { refundHandlers } from './routes.ts'

export default defineDomain({
  routes: { ...refundKeyRoutes, ...refundLinkRoutes, ...refundRoutes },
  handlers: { ...refundKeyHandlers, ...refundLinkHandlers, ...refundHandlers },
  jobs: deps => [{ name: 'expire refund links', everyMs: 60_000, work: () => expireRefundLinks(deps) }],
  owners: deps => ({ refund: refundOwner(deps) }),
})
