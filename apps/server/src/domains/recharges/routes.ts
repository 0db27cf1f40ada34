import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { cursorAnswer } from '../../kit/cursor.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { listReferenceAddresses } from '../addresses/store.ts'
import rechargeExport from './export.ts'
import { presentDeposit } from './present.ts'
import { listRecharges, rechargeFile } from './store.ts'

/** Deposits without a payment. */
export const rechargeHandlers = defineHandlers({
  'GET /api/v1/account/recharge': ({ deps: { pool }, session: { merchantId }, query }) =>
    pageAnswer(listRecharges(pool, merchantId, query, pageOf(query)), row => ({
      ...presentDeposit(row),
      token_id: row.asset_id,
      apply_name: row.apply_name,
      label: row.label,
      usdt_value: usdtValueText(row.usdt_amount),
    })),

  'GET /api/v1/account/recharge/export': exportHandler(rechargeExport),

  'GET /api/v1/pay/deposits': async ({ deps: { pool }, holder, query }) => {
    const { merchantId, appid } = holder
    const addresses = (await listReferenceAddresses(pool, merchantId, query.reference, appid)).map(each => each.address)
    const filter = { addresses: [...new Set(addresses)] }
    const list = { page: listRecharges, next: rechargeFile.next }
    return cursorAnswer(pool, list, { merchantId, filter }, query, presentDeposit, row => row.seen_at)
  },
})
