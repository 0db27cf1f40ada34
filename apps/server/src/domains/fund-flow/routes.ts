import { explorerUrl, kinds } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { pageFundFlow, pageGasExpenses } from './store.ts'

/** Every movement of the balances, and gas expenses. */
export const fundFlowHandlers = defineHandlers({
  'GET /api/v1/account/stream': async ({ deps, session: { merchantId }, query }) => {
    const { rows, total } = await pageFundFlow(deps.pool, merchantId, query, pageOf(query))
    return listAnswer(
      rows,
      total,
      ({ id, kind, incoming, amount, balance, memo, created_at, token, decimals, definition }) => {
        const shown = (address = '') => address && kinds[definition.kind].address.show(address)
        return {
          id,
          type: kind,
          direction: incoming ? ('in' as const) : ('out' as const),
          token,
          chain: definition.name,
          amount: formatDecimal(BigInt(amount), decimals),
          balance: formatDecimal(BigInt(balance), decimals),
          from_address: shown(memo.from_address),
          to_address: shown(memo.to_address),
          trade_no: memo.trade_no ?? '',
          txid: kinds[definition.kind].showTxid(memo.txid ?? ''),
          created_time: created_at,
        }
      },
    )
  },

  'GET /api/v1/account/expend': async ({ deps, session: { merchantId }, query: { page: current, ...query } }) => {
    const { rows, total } = await pageGasExpenses(deps.pool, merchantId, query, pageOf({ current, ...query }))
    return listAnswer(rows, total, ({ id, token, decimals, amount, txid, created_at, definition }) => ({
      id,
      currency: { token, logo: tokenLogo(token), chain: definition.name },
      amount: formatDecimal(BigInt(amount), decimals),
      txid: kinds[definition.kind].showTxid(txid),
      browser_url: explorerUrl(definition, 'tx', txid) ?? '',
      created_time: created_at,
    }))
  },
})
