import { explorerUrl, kinds } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { listFundFlow, listGasExpenses } from './store.ts'

export const fundFlowHandlers = defineHandlers({
  'GET /api/v1/account/stream': async ({ deps: { pool }, session: { merchantId }, query }) => {
    const { rows, total } = await listFundFlow(pool, merchantId, query, pageOf(query))
    return listAnswer(rows, total, row => {
      const { kind, memo, decimals, definition } = row
      const { address, showTxid } = kinds[definition.kind]
      const shown = (stored = '') => stored && address.show(stored)
      return {
        id: row.id,
        type: kind,
        direction: row.incoming ? ('in' as const) : ('out' as const),
        token: row.token,
        chain: definition.name,
        amount: formatDecimal(BigInt(row.amount), decimals),
        balance: formatDecimal(BigInt(row.balance), decimals),
        from_address: shown(memo.from_address),
        to_address: shown(memo.to_address),
        trade_no: memo.trade_no ?? '',
        txid: showTxid(memo.txid ?? ''),
        created_time: row.created_at,
      }
    })
  },

  'GET /api/v1/account/expend': async ({ deps: { pool }, session: { merchantId }, query }) => {
    const { page: current, pageSize } = query
    const { rows, total } = await listGasExpenses(pool, merchantId, query, pageOf({ current, pageSize }))
    return listAnswer(rows, total, row => ({
      id: row.id,
      currency: { token: row.token, logo: tokenLogo(row.token), chain: row.definition.name },
      amount: formatDecimal(BigInt(row.amount), row.decimals),
      txid: kinds[row.definition.kind].showTxid(row.txid),
      browser_url: explorerUrl(row.definition, 'tx', row.txid) ?? '',
      created_time: row.created_at,
    }))
  },
})
