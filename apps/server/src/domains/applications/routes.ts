import type { RouteData } from '@coffer/contract'
import { ownApplication } from '@coffer/contract/applications/routes.ts'
import { selectableEvents } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import { defineHandlers, type Session, toEmptyAnswer } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { visibleTo } from '../../kit/visible-to.ts'
import {
  changeApplicationByKey,
  deleteApplication,
  editApplication,
  endPreviousSecret,
  rotateApplicationSecret,
  setNotifyUrl,
} from './change-application.ts'
import { createApplication } from './create-application.ts'
import { readApplicationRates, setApplicationRates } from './set-application-rates.ts'
import { type Application, allApplications, applicationById, listApplications } from './store.ts'

export const applicationHandlers = defineHandlers({
  'GET /api/v1/user/secret-key': async ({ deps, session, query }) => {
    const found = await applicationById(deps.pool, session.merchantId, query.appid)
    if (!found) throw new Refusal('application_not_exist')
    return present(found, deps.clock())
  },

  'POST /api/v1/user/secret-key': async context => {
    const { proof, ...settings } = context.body
    const { merchantId } = context.session
    return createApplication(context.deps, { merchantId, settings, proof, from: context })
  },

  'PUT /api/v1/user/secret-key': context => {
    const { appid, status, proof, ...settings } = context.body
    const { merchantId } = context.session
    return toEmptyAnswer(editApplication(context.deps, { merchantId, appid, settings, status, proof, from: context }))
  },

  'DELETE /api/v1/user/secret-key': context => {
    const { deps, body, session } = context
    return toEmptyAnswer(deleteApplication(deps, { ...body, merchantId: session.merchantId, from: context }))
  },

  'GET /api/v1/user/secret-key/list': ({ deps: { pool, clock }, session: { merchantId }, query }) => {
    const page = query.all ? { limit: limits.applicationsMax, offset: 0 } : pageOf(query)
    return pageAnswer(listApplications(pool, merchantId, { name: query.name || undefined }, page), row =>
      present(row, clock()),
    )
  },

  'GET /api/v1/user/secret-key/select': async ({ deps, session }) => {
    const rows = await visibleApplications(deps, session)
    return { list: rows.filter(row => row.deleted_at === null).map(choice) }
  },

  'PUT /api/v1/user/secret-key/notify-url': context => {
    const { deps, body, session } = context
    return toEmptyAnswer(setNotifyUrl(deps, { ...body, merchantId: session.merchantId, from: context }))
  },

  'GET /api/v1/user/secret-key/rates': ({ deps, session, query }) =>
    readApplicationRates(deps, session.merchantId, query.appid),

  'PUT /api/v1/user/secret-key/rates': context => {
    const { appid, proof, ...rates } = context.body
    const { merchantId } = context.session
    return toEmptyAnswer(setApplicationRates(context.deps, { merchantId, appid, rates, proof, from: context }))
  },

  'PUT /api/v1/user/secret-key/refresh-google-secret': async context => {
    const { deps, body, session } = context
    const { keep_seconds: keepSeconds, ...rest } = body
    return rotateApplicationSecret(deps, { ...rest, keepSeconds, merchantId: session.merchantId, from: context })
  },

  'DELETE /api/v1/user/secret-key/previous': context => {
    const { deps, body, session } = context
    return toEmptyAnswer(endPreviousSecret(deps, { ...body, merchantId: session.merchantId, from: context }))
  },

  'GET /api/v1/pay/application': ({ deps, holder: { merchantId, appid } }) => readOwn(deps, merchantId, appid),

  'POST /api/v1/pay/application': async context => {
    const { deps, body: settings, holder } = context
    const { merchantId, appid } = holder
    await changeApplicationByKey(deps, { merchantId, appid, settings, from: context })
    return readOwn(deps, merchantId, appid)
  },

  'GET /api/v1/user/application-list': async ({ deps, session }) => ({
    list: (await visibleApplications(deps, session)).map(choice),
  }),
})

const readOwn = async (
  deps: Deps,
  merchantId: string,
  appid: string,
): Promise<RouteData<'GET /api/v1/pay/application'>> => {
  const found = await applicationById(deps.pool, merchantId, appid)
  if (!found) throw new Refusal('bad_key')
  // Leaves out the rest.
  return ownApplication.parse(present(found, deps.clock()))
}

/** Who sees own payments only takes them by one application, that of the counter. */
async function visibleApplications({ pool }: Deps, session: Session) {
  const { merchantId, collectedBy } = visibleTo(session)
  const rows = await allApplications(pool, merchantId)
  return collectedBy === null ? rows : rows.filter(row => row.collects)
}

type Choice = RouteData<'GET /api/v1/user/application-list'>['list'][number]
const choice = ({ appid, name, status, collects }: Choice): Choice => ({ appid, name, status, collects })

/** `now` is in unix seconds: replaced secrets are shown while they are valid. */
function present(row: Application, now: number): RouteData<'GET /api/v1/user/secret-key'> {
  const {
    merchant_id: _merchant,
    webhook_secret: _secret,
    deleted_at: _deleted,
    opened_at: _opened,
    secret_by: _maker,
    key_masked: key,
    previous_key_masked,
    previous_key_until,
    previous_webhook_until,
    callbacks_muted: muted,
    previous_secret_by: _earlierMaker,
    members_allowed,
    created_at,
    ...settings
  } = row
  const keyLives = previous_key_until > now
  return {
    ...settings,
    // Absent where it is off: who works alone sees nothing of members.
    ...(members_allowed && { members_allowed }),
    key,
    callback_events: selectableEvents.filter(event => !muted.includes(event)),
    created_time: created_at,
    previous_key: keyLives ? previous_key_masked : '',
    previous_key_until: keyLives ? previous_key_until : 0,
    previous_webhook_until: previous_webhook_until > now ? previous_webhook_until : 0,
  }
}
