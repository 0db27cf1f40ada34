import { z } from 'zod'
import { merchantRoleNames, ownerRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { amount, decimalAmount, email, emptyObject, id, newPassword, proof, unixSeconds } from '../kit/schemas.ts'

const role = z.enum(merchantRoleNames)
/** The secret of an invitation's link, which its mail alone has. */
const invitation = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'invitation_ended' })

/** What a member may do. */
const part = {
  role,
  refund_limit: amount
    .optional()
    .describe('USDT that a member with the role support may refund within 24 hours; by default none'),
}
const partOf = { role, refund_limit: decimalAmount.nullable().describe('USDT within 24 hours; null: none of its own') }

/** Whether it happened, or waits for another owner to request the same. */
const waits = z.object({ waits: z.boolean().describe('Whether another owner must request the same first') })
/** The token of this session from now on; the one before has ended. */
const newToken = z.object({ token: z.string() })

const member = z.object({
  id: z.string(),
  email: z.string(),
  ...partOf,
  since: unixSeconds.describe('Since when, as this; for a day this person is nobody’s second person'),
  last_seen: unixSeconds.describe('0: no open session'),
  authenticator: z.boolean().describe('Whether an authenticator is bound'),
  passkey: z.boolean().describe('Whether there is a passkey'),
  invited_by: z.string().describe('E-mail of who invited; empty for who opened the shop'),
  self: z.boolean().describe('Whether this is the caller'),
})

const openInvitation = z.object({
  id: z.string(),
  email: z.string(),
  ...partOf,
  invited_by: z.string().describe('E-mail of who invited; empty: the operator, or an application by its key'),
  application: z.string().optional().describe('Name of the application that invited by its key'),
  created_time: unixSeconds,
  expires_time: unixSeconds,
})

const request = z.object({
  change: z.enum(['invite', 'role', 'remove']),
  email: z.string().describe('Whom it concerns'),
  role: role.nullable().describe('The role requested; null when the member is to be removed'),
  by: z.array(z.string()).describe('E-mails of the owners who requested it'),
  created_time: unixSeconds,
})

export const memberRoutes = defineRoutes({
  'GET /api/v1/member': {
    who: ownerRoles,
    summary: 'List the members of the shop, its open invitations, and what waits for another owner',
    data: z.object({
      list: z.array(member),
      invitations: z.array(openInvitation),
      requests: z.array(request).describe('What one owner requested and another has not yet'),
      second_factor_required: z.boolean(),
    }),
  },
  'PUT /api/v1/member': {
    who: ownerRoles,
    summary: 'Change the role of a member. What makes or ends an owner takes two where there are two',
    body: z.strictObject({ id, ...part, proof }),
    data: waits,
  },
  'DELETE /api/v1/member': {
    who: ownerRoles,
    summary: 'Remove a member, whose sessions for the shop end at once. Removing an owner takes two',
    body: z.strictObject({ id, proof }),
    data: waits,
  },
  'POST /api/v1/member/invitation': {
    who: ownerRoles,
    summary:
      'Invite an address by mail. The answer does not tell whether it has an account. Inviting it again ends the earlier link',
    body: z.strictObject({ email, ...part, proof }),
    data: waits,
  },
  'PUT /api/v1/member/invitation': {
    who: ownerRoles,
    summary: 'Send an invitation again, with a new link; the one before ends',
    body: z.strictObject({ id, proof }),
    data: emptyObject,
  },
  'DELETE /api/v1/member/invitation': {
    who: ownerRoles,
    summary: 'Cancel an invitation. Canceling it again does nothing',
    body: z.strictObject({ id }),
    data: emptyObject,
  },
  'PUT /api/v1/member/second-factor': {
    who: ownerRoles,
    summary: 'Require a second factor of every member. Who has none binds one before anything else',
    body: z.strictObject({ required: z.boolean(), proof }),
    data: emptyObject,
  },
  'GET /api/v1/member/shop': {
    who: 'oneself',
    summary: 'List the shops that the signed-in person belongs to',
    data: z.object({
      list: z.array(z.object({ mchid: z.string(), name: z.string(), role, current: z.boolean() })),
      may_leave: z.boolean().describe('False for the last owner of the present one'),
    }),
  },
  'POST /api/v1/member/shop': {
    who: 'oneself',
    endsToken: true,
    summary: 'Work for another shop in this session. The token before has ended, in other tabs, too',
    body: z.strictObject({ mchid: id }),
    data: newToken,
  },
  'POST /api/v1/member/leave': {
    who: 'oneself',
    endsToken: true,
    summary: 'Leave the shop. Sessions for it end; who belongs to no other shop loses the account',
    body: z.strictObject({ proof }),
    data: emptyObject,
  },
  'POST /api/v1/member/accept': {
    who: 'oneself',
    endsToken: true,
    summary: 'Accept an invitation to the address of the signed-in person, and work for that shop',
    body: z.strictObject({ invitation }),
    data: newToken,
  },
  'POST /api/v1/public/invitation': {
    auth: 'public',
    summary: 'Get what a link invites to',
    body: z.strictObject({ invitation }),
    data: z.object({
      shop: z.string(),
      email: z.string(),
      role,
      invited_by: z.string().describe('E-mail of who invited; may be empty'),
      registered: z.boolean().describe('Whether the address has an account, which must sign in to accept'),
      expires_time: unixSeconds,
    }),
  },
  'POST /api/v1/public/invitation/accept': {
    auth: 'public',
    summary: 'Accept an invitation by a password for an address without an account, and sign in',
    body: z.strictObject({ invitation, password: newPassword, confirm_password: newPassword }),
    data: newToken,
  },
})
