import { z } from 'zod'
import { moneyRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { decimalAmount, emptyObject, optionalText, proof, sixDigitCode, tradeNo, unixSeconds } from '../kit/schemas.ts'
import { approverRoles } from '../policies/approver-roles.ts'
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

/** Withdrawals about which one proof decides. */
const decidedAtOnceMax = 20

/** What is known of the address to which a withdrawal goes. */
const destinationHistory = z.object({
  label: z.string().describe('Its name in the address book; empty if it is not there'),
  known_time: unixSeconds.describe('Since when it is in the address book; 0 if it is not'),
  paid: z.int().describe('Withdrawals that arrived there'),
  paid_value: decimalAmount.describe('Their value in USDT'),
  last_time: unixSeconds.describe('When the last of them was requested; 0 without one'),
  warnings: z.array(z.string()).describe('Checks of the address that warned when the withdrawal was requested'),
})

/** A withdrawal that waits, as a member who may decide about it sees it. */
const waitingWithdrawal = z.object({
  id: z.string(),
  token: z.string(),
  logo: z.string(),
  chain: z.string(),
  net_work: z.string(),
  address: z.string(),
  amount: decimalAmount.describe('Amount taken from the balance'),
  fee: decimalAmount,
  gas: decimalAmount,
  receives: decimalAmount,
  usdt_value: decimalAmount,
  remark: z.string(),
  requester: z.string().describe('Email of who asked, or who made the key of the application'),
  apply_name: z.string().describe('Application that asked; empty for the back-office'),
  policy: z.array(policyReport).describe('What the policy said'),
  destination: destinationHistory,
  created_time: unixSeconds,
})

export const approvalRoutes = defineRoutes({
  'GET /api/v1/approval': {
    who: approverRoles,
    summary: 'List the withdrawals about which this member may decide, the oldest first',
    data: z.object({ list: z.array(waitingWithdrawal) }),
  },
  'GET /api/v1/approval/count': {
    who: approverRoles,
    summary: 'Count the withdrawals about which this member may decide',
    data: z.object({ count: z.int() }),
  },
  'POST /api/v1/approval/decide': {
    who: approverRoles,
    summary: 'Approve or reject withdrawals, all of them or none. A passkey signs for all of them as they are shown',
    body: z
      .strictObject({
        ids: z.array(tradeNo).min(1).max(decidedAtOnceMax),
        decision: z.enum(['approve', 'reject']),
        reason: optionalText(200).optional().describe('Shown to who asked; required to reject'),
        proof: proof.optional(),
      })
      .refine(({ decision, reason = '' }) => decision === 'approve' || reason.trim() !== '', {
        error: 'text_needed',
        path: ['reason'],
      }),
    data: emptyObject,
  },
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
