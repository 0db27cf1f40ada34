import { z } from 'zod'
import { moneyRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { decimalAmount, emptyObject, optionalText, sixDigitCode, tradeNo, unixSeconds } from '../kit/schemas.ts'
import { policyReport } from '../policies/routes.ts'

const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'link_not_valid' })

/** A withdrawal as its approver sees it. */
const approval = z.object({
  state: z.enum(['open', 'approved', 'rejected', 'closed']).describe('closed: the withdrawal needs no answer any more'),
  merchant: z.string(),
  requester: z.string().describe('Who asked: the owner of the account, or an application'),
  email: z.string().describe('The approver, masked'),
  amount: decimalAmount,
  fee: decimalAmount,
  gas: decimalAmount,
  receives: decimalAmount,
  token: z.string(),
  chain: z.string(),
  address: z.string(),
  usdt_value: decimalAmount,
  remark: z.string(),
  policy: z.array(policyReport).describe('What the policy said'),
  created_time: unixSeconds,
  expire_time: unixSeconds,
})

export const approvalRoutes = defineRoutes({
  'POST /api/v1/public/withdrawal-approval': {
    auth: 'public',
    summary: 'Get the withdrawal that a link asks to approve',
    body: z.strictObject({ token }),
    data: approval,
  },
  'POST /api/v1/public/withdrawal-approval/code': {
    auth: 'public',
    summary: 'Send the approver a code by email',
    body: z.strictObject({ token }),
    data: z.object({ resend_after: z.int().describe('Seconds until another code can be sent') }),
  },
  'POST /api/v1/public/withdrawal-approval/decide': {
    auth: 'public',
    summary: 'Approve or reject the withdrawal. The link works once',
    body: z.strictObject({
      token,
      decision: z.enum(['approve', 'reject']),
      code: sixDigitCode,
      reason: optionalText(200).optional(),
    }),
    data: approval,
  },
  'POST /api/v1/account/withdrawal/approval-link': {
    who: moneyRoles,
    summary: 'Send the approver a new link; the one before ends',
    body: z.strictObject({ id: tradeNo }),
    data: emptyObject,
  },
})
