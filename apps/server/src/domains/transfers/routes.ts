import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { maskEmail } from '@coffer/contract/kit/texts.ts'
import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import transferExport from './export.ts'
import { findReceiver, maskName } from './find-receiver.ts'
import { sendTransfer } from './send-transfer.ts'
import { listTransfers } from './store.ts'

/** Handlers for internal transfers: find the receiver, send, list, export. */
export const transferHandlers = defineHandlers({
  'GET /api/v1/account/internal-transfer/receiver': async ({ deps, session: { merchantId }, query: { account } }) => {
    const { mchid, name, email } = await findReceiver(deps, deps.pool, merchantId, account)
    return { mchid, name: maskName(name), email: maskEmail(email) }
  },

  'POST /api/v1/account/internal-transfer': async context => {
    const { deps, session, body, idempotencyKey } = context
    const { token_id: assetId, ...rest } = body
    const { merchantId } = session
    return sendTransfer(deps, { ...rest, assetId, merchantId, requestKey: idempotencyKey, from: context })
  },

  'GET /api/v1/account/internal-transfer': ({ deps: { pool }, session: { merchantId }, query }) =>
    pageAnswer(
      listTransfers(pool, merchantId, query, pageOf(query)),
      ({ decimals, amount, name, created_at, ...row }) => ({
        ...row,
        amount: formatDecimal(amount, decimals),
        name: maskName(name),
        created_time: created_at,
      }),
    ),

  'GET /api/v1/account/internal-transfer/export': exportHandler(transferExport),
})
