import { type ErrorName, errors } from '@coffer/contract/errors.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { setDeviceCookie } from '../../http/device-cookie.ts'
import { newSecret } from '../../kit/secrets.ts'
import { readOperatorActions, recordOperatorAction } from '../operators/action-log.ts'
import { changeRoleByOwner, inviteOperator, reinviteOperator, removeOperatorByOwner } from '../operators/by-owners.ts'
import { readInvitation, redeemInvitation } from '../operators/invitations.ts'
import {
  addPasskey,
  askPasskeySignIn,
  listPasskeys,
  offerPasskey,
  removePasskey,
  signInByPasskey,
} from '../operators/passkeys.ts'
import { confirmSession, signIn, verifySignIn } from '../operators/sign-in.ts'
import { asRole, listOperators } from '../operators/store.ts'
import { endSession } from '../people/sessions.ts'
import { defineConsoleHandlers } from './context.ts'

/** Handlers for the sessions and accounts of operators, and their log. */
export const accountHandlers = defineConsoleHandlers({
  'POST /api/operator/v1/public/login': async context =>
    signIn(context.deps, { ...context.body, from: { ...context, factor: 'password' } }),

  'POST /api/operator/v1/public/login/verification': async context => {
    const { deps, operator, body, reply, deviceToken = newSecret() } = context
    const from = { ...context, deviceToken, factor: 'password+google' }
    const answer = await verifySignIn(deps, { session: operator, code: body.google_code, from })
    await recordOperatorAction(deps, { by: operator, action: 'login', on: '', from })
    setDeviceCookie(deps, reply, deviceToken)
    return answer
  },

  'GET /api/operator/v1/public/login/passkey': async ({ deps }) => ({ ...(await askPasskeySignIn(deps)) }),

  'POST /api/operator/v1/public/login/passkey': async context => {
    const { deps, body, reply, deviceToken = newSecret() } = context
    const from = { ...context, deviceToken, factor: 'passkey' }
    const { token, by } = await signInByPasskey(deps, { ...body, from })
    await recordOperatorAction(deps, { by, action: 'login', on: '', from })
    setDeviceCookie(deps, reply, deviceToken)
    return { token }
  },

  'POST /api/operator/v1/public/invitation': async context =>
    readInvitation(context.deps, { ...context.body, from: context }),

  'POST /api/operator/v1/public/invitation/accept': async context => {
    const { invitation, password, offer, google_code: code } = context.body
    const { deps, reply, deviceToken = newSecret() } = context
    const from = { ...context, deviceToken }
    const { token, by } = await redeemInvitation(deps, { invitation, password, offer, code, from })
    await recordOperatorAction(context.deps, { by, action: 'invitation accepted', on: by.email, from: context })
    setDeviceCookie(deps, reply, deviceToken)
    return { token }
  },

  'GET /api/operator/v1/session': async ({ deps, operator }) => ({
    id: operator.operatorId,
    email: operator.email,
    role: operator.role,
    fresh_until: operator.freshUntil,
    now: deps.clock(),
    sandbox: deps.config.mode === 'sandbox',
  }),

  'POST /api/operator/v1/session/fresh': async ({ deps, operator, body }) =>
    confirmSession(deps, { session: operator, code: body.google_code }),

  'DELETE /api/operator/v1/session': ({ deps, operator }) => toEmptyAnswer(endSession(deps.pool, operator.tokenHash)),

  'GET /api/operator/v1/passkeys': ({ deps, operator }) => listPasskeys(deps, operator),

  'GET /api/operator/v1/passkeys/new': async ({ deps, operator }) => ({ ...(await offerPasskey(deps, operator)) }),

  'POST /api/operator/v1/passkeys': ({ deps, operator, body }) =>
    toEmptyAnswer(addPasskey(deps, { session: operator, ...body })),

  'DELETE /api/operator/v1/passkeys/:id': ({ deps, operator: { operatorId, tokenHash }, params }) =>
    toEmptyAnswer(removePasskey(deps, { operatorId, ...params, by: operatorId, keep: tokenHash })),

  'GET /api/operator/v1/operators': async ({ deps }) => {
    const rows = await listOperators(deps.pool)
    return {
      list: rows.map(({ created_at, role, ...row }) => ({ ...row, role: asRole(role), created_time: created_at })),
    }
  },

  'POST /api/operator/v1/operators': ({ deps, body, operator: by }) => inviteOperator(deps, { ...body, by }),

  'PUT /api/operator/v1/operators/:id': ({ deps, params, body, operator: by }) =>
    changeRoleByOwner(deps, { ...params, ...body, by }),

  'POST /api/operator/v1/operators/:id/link': ({ deps, params, operator: by }) =>
    reinviteOperator(deps, { ...params, by }),

  'DELETE /api/operator/v1/operators/:id': ({ deps, params, operator: by }) =>
    removeOperatorByOwner(deps, { ...params, by }),

  'GET /api/operator/v1/log': async ({ deps, query, language }) => {
    const { list, next } = await readOperatorActions(deps, query)
    return {
      list: list.map(each => ({ ...each, reason: errors[each.reason as ErrorName]?.[language] ?? each.reason })),
      next,
    }
  },
})
