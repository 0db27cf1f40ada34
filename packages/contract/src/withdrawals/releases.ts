import { z } from 'zod'
import { financeRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { decimalAmount, emptyObject, id, passkeyAssertion, passkeyOptions, unixSeconds } from '../kit/schemas.ts'

const payout = z.strictObject({ owner: z.enum(['withdrawal', 'refund']), id })

/** Payouts above the limit of the signer from which it requires a person's passkey. */
export const releaseRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/releases': {
    who: readingRoles,
    summary: 'List payouts that wait for a passkey that the signer knows',
    data: z.object({
      list: z.array(
        z.object({
          owner: payout.shape.owner,
          id: z.string(),
          mchid: z.string(),
          merchant: z.string(),
          amount: decimalAmount,
          token: z.string(),
          chain: z.string(),
          address: z.string(),
          created_time: unixSeconds,
          /** Whether a release was given that the signer did not take: by another key, or used before. */
          refused: z.boolean(),
        }),
      ),
    }),
  },
  'GET /api/operator/v1/releases/:owner/:id': {
    who: readingRoles,
    summary: 'Get what a browser needs to release this payout with a passkey; null if it does not wait for one',
    params: payout,
    data: z.object({ options: passkeyOptions.nullable() }),
  },
  'POST /api/operator/v1/releases/:owner/:id': {
    who: financeRoles,
    object: 'release',
    dialog: {
      button: { en: 'Release with a passkey', 'zh-CN': '使用通行密钥放行' },
      text: {
        en: 'The signer then pays this to the address below. This cannot be undone.',
        'zh-CN': '签名服务将向以下地址付款，付出后无法撤回。',
      },
      done: { en: 'Released. It is sent within a minute', 'zh-CN': '已放行，将在一分钟内付出' },
      look: 'primary',
    },
    title: { en: 'Released the payout with a passkey', 'zh-CN': '使用通行密钥放行付款' },
    summary: 'Release a payout with a passkey that the signer knows',
    params: payout,
    body: z.strictObject({ passkey: passkeyAssertion }),
    data: emptyObject,
  },
})
