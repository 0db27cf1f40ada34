import { type ErrorName, errors } from '@coffer/contract/errors.ts'
import { noData } from '../../http/context.ts'
import { giveDevice } from '../../http/device-cookie.ts'
import { newSecret } from '../../kit/secrets.ts'
import { readActions, recordAction } from '../operators/action-log.ts'
import { changeRoleOf, inviteOperator, removeOperatorOf, renewOperator } from '../operators/by-owners.ts'
import { readInvitation, useInvitation } from '../operators/invitations.ts'
import {
  addPasskey,
  askPasskeySignIn,
  listPasskeys,
  offerPasskey,
  removePasskey,
  signInByPasskey,
} from '../operators/passkeys.ts'
import { confirmSession, signIn, verifySignIn } from '../operators/sign-in.ts'
import { endSession, listOperators } from '../operators/store.ts'
import { defineConsole } from './context.ts'

/** Handlers for the sessions and accounts of operators, and their log. */
export const accountHandlers = defineConsole({
  'POST /api/operator/v1/public/login': async context =>
    signIn(context.deps, { ...context.body, from: { ...context, factor: 'password' } }),

  'POST /api/operator/v1/public/login/verification': async context => {
    const { deps, operator, body, reply, deviceToken = newSecret() } = context
    const from = { ...context, deviceToken, factor: 'password+google' }
    const answer = await verifySignIn(deps, { session: operator, code: body.google_code, from })
    await recordAction(deps, { who: operator.email, action: 'login', on: '', from })
    giveDevice(deps, reply, deviceToken)
    return answer
  },

  'GET /api/operator/v1/public/login/passkey': async ({ deps }) => ({ ...(await askPasskeySignIn(deps)) }),

  'POST /api/operator/v1/public/login/passkey': async context => {
    const { deps, body, reply, deviceToken = newSecret() } = context
    const from = { ...context, deviceToken, factor: 'passkey' }
    const { token, email } = await signInByPasskey(deps, { ...body, from })
    await recordAction(deps, { who: email, action: 'login', on: '', from })
    giveDevice(deps, reply, deviceToken)
    return { token }
  },

  'POST /api/operator/v1/public/invitation': async context =>
    readInvitation(context.deps, { ...context.body, from: context }),

  'POST /api/operator/v1/public/invitation/accept': async context => {
    const { invitation, password, offer, google_code: code } = context.body
    const { deps, reply, deviceToken = newSecret() } = context
    const from = { ...context, deviceToken }
    const { token, email } = await useInvitation(deps, { invitation, password, offer, code, from })
    await recordAction(context.deps, { who: email, action: 'invitation accepted', on: email, from: context })
    giveDevice(deps, reply, deviceToken)
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

  'DELETE /api/operator/v1/session': ({ deps, operator }) => noData(endSession(deps.pool, operator.tokenHash)),

  'GET /api/operator/v1/passkeys': ({ deps, operator }) => listPasskeys(deps, operator),

  'GET /api/operator/v1/passkeys/new': async ({ deps, operator }) => ({ ...(await offerPasskey(deps, operator)) }),

  'POST /api/operator/v1/passkeys': ({ deps, operator, body }) =>
    noData(addPasskey(deps, { session: operator, ...body })),

  'DELETE /api/operator/v1/passkeys/:id': ({ deps, operator: { operatorId, tokenHash }, params }) =>
    noData(removePasskey(deps, { operatorId, ...params, keep: tokenHash })),

  'GET /api/operator/v1/operators': async ({ deps }) => {
    const rows = await listOperators(deps.pool)
    return { list: rows.map(({ created_at: created_time, ...row }) => ({ ...row, created_time })) }
  },

  'POST /api/operator/v1/operators': ({ deps, body, operator: by }) => inviteOperator(deps, { ...body, by }),

  'PUT /api/operator/v1/operators/:id': ({ deps, params, body, operator: by }) =>
    changeRoleOf(deps, { ...params, ...body, by }),

  'POST /api/operator/v1/operators/:id/link': ({ deps, params, operator: by }) =>
    renewOperator(deps, { ...params, by }),

  'DELETE /api/operator/v1/operators/:id': ({ deps, params, operator: by }) =>
    removeOperatorOf(deps, { ...params, by }),

  'GET /api/operator/v1/log': async ({ deps, query, language }) => {
    const { list, next } = await readActions(deps, query)
    return {
      list: list.map(each => ({ ...each, reason: errors[each.reason as ErrorName]?.[language] ?? each.reason })),
      next,
    }
  },
})
