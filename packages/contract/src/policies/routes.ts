import { z } from 'zod'
import { ownerRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { amount, decimalAmount, email, id, integerBetween, proof, unixSeconds } from '../kit/schemas.ts'
import { approverRoles } from './approver-roles.ts'

/** Kinds of rules of a withdrawal policy. */
export const policyRuleKinds = ['single', 'window', 'destination', 'hours', 'approval', 'fresh_factor'] as const

/** A limit in USDT, as a decimal string. */
const usdt = amount
const within = integerBetween(60, 366 * 86_400)
/** Limits of what leaves within 24 hours without an approval or a passkey. */
const unchecked = {
  above: usdt.describe('To one receiver within 24 hours'),
  above_in_all: usdt.optional().describe('To all receivers within 24 hours; without it, ten times `above`'),
}

/** The fields that name who approves, of which a rule has one at most. */
const approvers = {
  approver: email.optional().describe('Email of who approves by a link; without it, the operator approves'),
  role: z.enum(approverRoles).optional().describe('Role of the members who approve instead'),
  person: id.optional().describe('Id of the member who approves instead'),
}

/** A rule of a withdrawal policy. Amounts are in USDT, durations in seconds; `from` and `to` are minutes of the day. */
export const policyRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('single'), limit: usdt }),
  z.strictObject({
    kind: z.literal('window'),
    per: z.enum(['merchant', 'asset', 'destination']),
    seconds: within,
    limit: usdt,
  }),
  z.strictObject({ kind: z.literal('destination'), cool_down: integerBetween(0, 30 * 86_400) }),
  z.strictObject({
    kind: z.literal('hours'),
    days: z.array(integerBetween(0, 6)).min(1).max(7).describe('Days of the week; 0 is Sunday'),
    from: integerBetween(0, 1_439),
    to: integerBetween(0, 1_440),
  }),
  z
    .strictObject({ kind: z.literal('approval'), ...unchecked, ...approvers })
    .refine(({ approver, role, person }) => [approver, role, person].filter(Boolean).length <= 1, {
      error: 'parameter_error',
    }),
  z.strictObject({ kind: z.literal('fresh_factor'), ...unchecked, within }),
])
export type StoredPolicyRule = z.output<typeof policyRule>

/** What one rule of the policy says about a withdrawal. */
export const policyReport = z.object({
  rule: z.enum(policyRuleKinds),
  of_platform: z.boolean().optional().describe('Whether the platform sets the rule; older reports do not say'),
  per: z
    .enum(['merchant', 'asset', 'destination', ''])
    .describe('What the limit counts; empty for a rule that counts nothing'),
  seconds: z.int().describe('Length of the time in which it counts; 0 for a rule that counts nothing'),
  allowed: z.boolean(),
  used: decimalAmount.describe('USDT used of the limit; empty for a rule without amounts'),
  limit: decimalAmount.describe('Limit in USDT; empty for a rule without amounts'),
  left: decimalAmount.describe('USDT left of the limit; empty for a rule without amounts'),
  until: unixSeconds.describe('When a refusal ends by itself; 0 if it does not'),
})

const policyVersion = z.object({ rules: z.array(policyRule), active_time: unixSeconds })

const policy = z.object({
  rules: z.array(policyRule).describe('Rules in force'),
  active_time: unixSeconds.describe('Since when they are in force; 0 if there never were any'),
  pending: policyVersion.nullable().describe('Looser rules that are to come into force; null if there are none'),
  installation: z.array(policyReport).describe('Rules that apply to every merchant, with what is left'),
  approvers: z
    .array(z.object({ id: z.string(), email: z.string(), role: z.enum(approverRoles) }))
    .optional()
    .describe('Members whom a rule may name; only in a shop of several members'),
})

export const policyRoutes = defineRoutes({
  'GET /api/v1/account/withdrawal-policy': {
    who: readingRoles,
    summary: 'Get the withdrawal policy',
    data: policy,
  },
  'PUT /api/v1/account/withdrawal-policy': {
    who: ownerRoles,
    summary: 'Replace the withdrawal policy. A stricter one is in force at once, a looser one in 24 hours',
    body: z.strictObject({ rules: z.array(policyRule).max(20), proof: proof.optional() }),
    data: policy,
  },
})
