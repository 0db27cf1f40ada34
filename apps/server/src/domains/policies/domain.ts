import type { RouteData } from '@coffer/contract'
import { policyRoutes } from '@coffer/contract/policies/routes.ts'
import type { Deps } from '../../deps.ts'
import { defineDomain } from '../../domain.ts'
import { hasSeveralMembers } from '../people/members.ts'
import { listApprovingMembers } from './approvers.ts'
import { formatPolicyReport } from './format-policy-report.ts'
import { activePolicy, installationReports } from './policy.ts'
import { pendingPolicy, savePolicy } from './save-policy.ts'

async function policyOf(deps: Deps, merchantId: string): Promise<RouteData<'GET /api/v1/account/withdrawal-policy'>> {
  const now = deps.clock()
  const [present, pending, installation] = await Promise.all([
    activePolicy(deps.pool, merchantId, now),
    pendingPolicy(deps.pool, merchantId, now),
    installationReports(deps, deps.pool, merchantId),
  ])
  return {
    rules: present?.rules ?? [],
    active_time: present?.active_from ?? 0,
    pending: pending ? { rules: pending.rules, active_time: pending.active_from } : null,
    installation: installation.map(formatPolicyReport),
    ...((await hasSeveralMembers(deps.pool, merchantId)) && {
      approvers: (await listApprovingMembers(deps.pool, merchantId)).map(({ since: _, ...member }) => member),
    }),
  }
}

export default defineDomain({
  routes: policyRoutes,
  handlers: {
    'GET /api/v1/account/withdrawal-policy': ({ deps, session: { merchantId } }) => policyOf(deps, merchantId),

    'PUT /api/v1/account/withdrawal-policy': async context => {
      const { deps, session, body } = context
      await savePolicy(deps, { ...body, merchantId: session.merchantId, from: context })
      return policyOf(deps, session.merchantId)
    },
  },
})
