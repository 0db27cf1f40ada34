import { approvalRoutes } from '@coffer/contract/approvals/routes.ts'
import { defineDomain } from '../../domain.ts'
import { noData } from '../../http/context.ts'
import { decideByLink, sendApprovalCode, sendLinkAgain, showApproval } from './approval-link.ts'

/** Approval of withdrawals by a link. */
export default defineDomain({
  routes: approvalRoutes,
  handlers: {
    'POST /api/v1/public/withdrawal-approval': context => showApproval(context.deps, context.body.token, context),

    'POST /api/v1/public/withdrawal-approval/code': async context => ({
      resend_after: await sendApprovalCode(context.deps, context.body.token, context),
    }),

    'POST /api/v1/public/withdrawal-approval/decide': async context => {
      const { deps, body } = context
      await decideByLink(deps, { ...body, from: context })
      return showApproval(deps, body.token, context)
    },

    'POST /api/v1/account/withdrawal/approval-link': context => {
      const { deps, session, body } = context
      return noData(sendLinkAgain(deps, { merchantId: session.merchantId, id: body.id, from: context }))
    },
  },
})
