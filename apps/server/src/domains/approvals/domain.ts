import { approvalRoutes } from '@coffer/contract/approvals/routes.ts'
import { defineDomain } from '../../domain.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { decideApprovalByLink, readLinkedApproval, resendApprovalLink, sendApprovalCode } from './approval-link.ts'

/** Approval of withdrawals by a link. */
export default defineDomain({
  routes: approvalRoutes,
  handlers: {
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
