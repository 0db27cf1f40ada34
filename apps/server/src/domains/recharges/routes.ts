import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { addressesOfReference } from '../addresses/store.ts'
import rechargeExport, { listRecharges } from './list.ts'
import { presentDeposit } from './present.ts'
import { countRecharges, pageRecharges } from './store.ts'

/** Deposits without a payment. */
export const rechargeHandlers = defineHandlers({
  'GET /api/v1/account/recharge': ({ deps: { pool }, session: { merchantId }, query }) =>
    listRecharges(pool, merchantId, query, pageOf(query)),

  'GET /api/v1/account/recharge/export': exportHandler(rechargeExport),

  'GET /api/v1/pay/deposits': async ({ deps: { pool }, holder, query }) => {
    const { merchantId, appid } = holder
    const addresses = (await addressesOfReference(pool, merchantId, query.reference, appid)).map(each => each.address)
    const filter = { addresses: [...new Set(addresses)] }
    const rows = pageRecharges(pool, merchantId, filter, pageOf(query))
    return listAnswer(rows, countRecharges(pool, merchantId, filter), presentDeposit)
  },
})
