import { billingRoutes } from '@coffer/contract/billing/routes.ts'
import { defineDomain } from '../../domain.ts'
import { issueInvoices } from './issue-invoices.ts'
import { billingHandlers } from './routes.ts'

export default defineDomain({
  routes: billingRoutes,
  handlers: billingHandlers,
  jobs: deps => [{ name: 'issue invoices', everyMs: 3_600_000, work: () => issueInvoices(deps) }],
})
