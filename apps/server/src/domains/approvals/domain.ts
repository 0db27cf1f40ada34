import { approvalRoutes } from '@coffer/contract/approvals/routes.ts'
import { defineDomain } from '../../domain.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { decideApprovalByLink, readLinkedApproval, resendApprovalLink, sendApprovalCode } from './approval-link.ts'
import { decideApprovals } from './decide-approvals.ts'
import { listApprovals, readOwnApprovals } from './list-approvals.ts'

/** Approval of withdrawals, by members in the back-office and by a link. */
export default defineDomain({
  routes: approvalRoutes,
  handlers: {
    'GET /api/v1/approval': async ({ deps, session }) => ({ list: await listApprovals(deps, session) }),

    'GET /api/v1/approval/count': async ({ deps, session }) => ({
      count: (await readOwnApprovals(deps, session)).length,
    }),

    'POST /api/v1/approval/decide': context => {
      const { deps, session, body } = context
      return toEmptyAnswer(decideApprovals(deps, { ...body, merchantId: session.merchantId, from: context }))
    },

    'POST /api/v1/public/withdrawal-approval': context => readLinkedApproval(context.deps, context.body.token, context),

    'POST /api/v1/public/withdrawal-approval/code': async context => ({
      resend_after: await sendApprovalCode(context.deps, context.body.token, context),
    }),

    'POST /api/v1/public/withdrawal-approval/decide': async context => {
      const { deps, body } = context
      await decideApprovalByLink(deps, { ...body, from: context })
      return readLinkedApproval(deps, body.token, context)
    },

    'POST /api/v1/account/withdrawal/approval-link': context => {
      const { deps, session, body } = context
      return toEmptyAnswer(resendApprovalLink(deps, { merchantId: session.merchantId, id: body.id, from: context }))
    },
  },
})
