import { defineHandlers } from '../../http/context.ts'
import { closeAccount, readAccountClosingObstacles } from './close-account.ts'
import { editProfile } from './edit-profile.ts'
import { requestMerchantPermission } from './request-merchant-permission.ts'

/** Handlers for the merchant's own account: profile, opening, closing. */
export const onboardingHandlers = defineHandlers({
  'PUT /api/v1/user/edit': async context => {
    const { merchantId } = context.session
    const { proof, ...changes } = context.body
    await editProfile(context.deps, { merchantId, changes, proof, from: context })
    return {}
  },

  'POST /api/v1/user/opening': async context =>
    requestMerchantPermission(context.deps, { ...context.body, merchantId: context.session.merchantId, from: context }),

  'GET /api/v1/user/closing': async ({ deps, session: { merchantId } }) =>
    readAccountClosingObstacles(deps, merchantId),

  'DELETE /api/v1/user': async context => {
    const { merchantId } = context.session
    await closeAccount(context.deps, { ...context.body, merchantId, from: context })
    return {}
  },
})
