import { memberKeyRoutes } from '@coffer/contract/members/key-routes.ts'
import { memberRoutes } from '@coffer/contract/members/routes.ts'
import { defineDomain } from '../../domain.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { setDeviceCookie } from '../../http/device-cookie.ts'
import { newSecret } from '../../kit/secrets.ts'
import { acceptAsNewPerson, acceptInvitation, readInvitation } from './accept-invitation.ts'
import { inviteMemberByKey, listMembersByKey, removeMemberByKey } from './by-key.ts'
import { agreementSeconds } from './by-owners.ts'
import { changeMemberRole, leaveShop, removeMember, requireSecondFactor } from './change-member.ts'
import { cancelInvitation, inviteMember, renewInvitation } from './invitations.ts'
import { readPeople } from './list-members.ts'
import { deleteOldAgreements, deleteOldInvitations } from './store.ts'
import { readShops, switchShop } from './switch-shop.ts'

export default defineDomain({
  routes: { ...memberRoutes, ...memberKeyRoutes },
  handlers: {
    'GET /api/v1/member': ({ deps, session }) => readPeople(deps, session),

    'PUT /api/v1/member': context =>
      changeMemberRole(context.deps, { ...context.body, session: context.session, from: context }),

    'DELETE /api/v1/member': context =>
      removeMember(context.deps, { ...context.body, session: context.session, from: context }),

    'POST /api/v1/member/invitation': context =>
      inviteMember(context.deps, { ...context.body, session: context.session, from: context }),

    'PUT /api/v1/member/invitation': context =>
      toEmptyAnswer(renewInvitation(context.deps, { ...context.body, session: context.session, from: context })),

    'DELETE /api/v1/member/invitation': context =>
      toEmptyAnswer(cancelInvitation(context.deps, { ...context.body, session: context.session, from: context })),

    'PUT /api/v1/member/second-factor': context =>
      toEmptyAnswer(requireSecondFactor(context.deps, { ...context.body, session: context.session, from: context })),

    'GET /api/v1/member/shop': ({ deps, session }) => readShops(deps, session),

    'POST /api/v1/member/shop': context =>
      switchShop(context.deps, { ...context.body, session: context.session, from: context }),

    'POST /api/v1/member/leave': context =>
      toEmptyAnswer(leaveShop(context.deps, { ...context.body, session: context.session, from: context })),

    'POST /api/v1/member/accept': context =>
      acceptInvitation(context.deps, { ...context.body, session: context.session, from: context }),

    'GET /api/v1/pay/members': ({ deps, holder }) => listMembersByKey(deps, holder),

    'POST /api/v1/pay/members': context =>
      inviteMemberByKey(context.deps, { ...context.body, holder: context.holder, from: context }),

    'POST /api/v1/pay/members/:id/remove': context =>
      toEmptyAnswer(removeMemberByKey(context.deps, { ...context.params, holder: context.holder, from: context })),

    'POST /api/v1/public/invitation': context => readInvitation(context.deps, { ...context.body, from: context }),

    'POST /api/v1/public/invitation/accept': async context => {
      const { deps, body, reply, deviceToken = newSecret() } = context
      const accepted = await acceptAsNewPerson(deps, { ...body, from: { ...context, deviceToken } })
      setDeviceCookie(deps, reply, deviceToken)
      return accepted
    },
  },
  deleteExpired: async ({ pool, clock }) =>
    (await deleteOldInvitations(pool, clock())) + (await deleteOldAgreements(pool, clock() - agreementSeconds)),
})
