import { chainAdapters, explorerUrl } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { tokenLogo } from '../../http/logos.ts'
import { listAnswer, pageAnswer, pageOf } from '../../kit/list.ts'
import flowExport from './export.ts'
import gasExport from './gas-export.ts'
import { presentFlow } from './present.ts'
import { flowAssets, listFundFlow, listGasExpenses } from './store.ts'

export const fundFlowHandlers = defineHandlers({
  'GET /api/v1/account/stream': async ({ deps: { pool }, session: { merchantId }, query }) => {
    const [{ rows, total }, assets] = await Promise.all([
      listFundFlow(pool, merchantId, query, pageOf(query)),
      flowAssets(pool),
    ])
    return listAnswer(rows, total, row => {
      const asset = assets.get(row.asset_id)!
      const { txid = '' } = row.memo
      return { ...presentFlow(row, asset), browser_url: (txid && explorerUrl(asset.definition, 'tx', txid)) || '' }
    })
  },

  'GET /api/v1/account/stream/export': exportHandler(flowExport),

  'GET /api/v1/account/expend': async ({ deps: { pool }, session: { merchantId }, query }) => {
    const { page: current, pageSize } = query
    return pageAnswer(listGasExpenses(pool, merchantId, query, pageOf({ current, pageSize })), row => ({
      id: row.id,
      currency: { token: row.token, logo: tokenLogo(row.token), chain: row.definition.name },
      amount: formatDecimal(row.amount, row.decimals),
      txid: chainAdapters[row.definition.kind].showTxid(row.txid),
      browser_url: explorerUrl(row.definition, 'tx', row.txid) ?? '',
      created_time: row.created_at,
    }))
  },

  'GET /api/v1/account/expend/export': exportHandler(gasExport),
})
