import type { Data } from '@coffer/contract'
import { limits } from '@coffer/contract/limits.ts'
import { defineHandlers } from '../../http/context.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { createApplication } from './create-application.ts'
import { deleteApplication } from './delete-application.ts'
import { editApplication } from './edit-application.ts'
import { renewSecret } from './renew-secret.ts'
import { setNotifyUrl } from './set-notify-url.ts'
import { type Application, allApplications, applicationById, applicationsCount, applicationsPage } from './store.ts'

/** Handlers for applications and their secrets. */
export const applicationHandlers = defineHandlers({
  'GET /api/v1/user/secret-key': async ({ deps, session, query }) => {
    const found = await applicationById(deps.pool, session.merchantId, query.appid)
    if (!found) throw new Refusal('application_not_exist')
    return present(found)
  },

  'POST /api/v1/user/secret-key': async context => {
    const { proof, ...settings } = context.body
    const { merchantId } = context.session
    return createApplication(context.deps, { merchantId, settings, proof, from: context })
  },

  'PUT /api/v1/user/secret-key': async context => {
    const { appid, status, proof, ...settings } = context.body
    const { merchantId } = context.session
    await editApplication(context.deps, { merchantId, appid, settings, status, proof, from: context })
    return {}
  },

  'DELETE /api/v1/user/secret-key': async context => {
    const { merchantId } = context.session
    await deleteApplication(context.deps, { ...context.body, merchantId, from: context })
    return {}
  },

  'GET /api/v1/user/secret-key/list': async ({ deps, session: { merchantId }, query }) => {
    const name = query.name || null
    const page = query.all ? { limit: limits.applicationsMax, offset: 0 } : pageOf(query)
    return listAnswer(
      applicationsPage(deps.pool, merchantId, name, page),
      applicationsCount(deps.pool, merchantId, name),
      present,
    )
  },

  'GET /api/v1/user/secret-key/select': async ({ deps, session }) => {
    const rows = await allApplications(deps.pool, session.merchantId)
    return { list: rows.filter(row => row.deleted_at === null).map(choice) }
  },

  'PUT /api/v1/user/secret-key/notify-url': async context => {
    const { merchantId } = context.session
    await setNotifyUrl(context.deps, { ...context.body, merchantId, from: context })
    return {}
  },

  'PUT /api/v1/user/secret-key/refresh-google-secret': async context => {
    const { merchantId } = context.session
    return renewSecret(context.deps, { ...context.body, merchantId, from: context })
  },

  'GET /api/v1/user/application-list': async ({ deps, session }) => {
    const rows = await allApplications(deps.pool, session.merchantId)
    return { list: rows.map(choice) }
  },
})

const choice = ({ appid, name, status }: Pick<Application, 'appid' | 'name' | 'status'>) => ({ appid, name, status })

function present(row: Application): Data<'GET /api/v1/user/secret-key'> {
  const { merchant_id: _, webhook_secret: __, deleted_at: ___, key_masked: key, created_at, ...settings } = row
  return { ...settings, key, created_time: created_at }
}
