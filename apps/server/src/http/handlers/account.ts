import { addressForm, explorerUrl, shownTxid } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import { allotFixedAddress } from '../../commands/allot-fixed-address.ts'
import { Refusal } from '../../refusal.ts'
import { readChain } from '../../store/chains.ts'
import { pageFixedAddresses, pageFundFlow, pageGasExpenses } from '../../store/fund-flow.ts'
import { defineHandlers } from '../context.ts'
import { tokenLogo } from '../logos.ts'
import { usdt } from '../presenters/figures.ts'

const pageOf = (current: number, pageSize: number) => ({ limit: pageSize, offset: (current - 1) * pageSize })

/** Money that comes in without a payment, and every movement of the balances. */
export const accountHandlers = defineHandlers({
  'GET /api/v1/account/recharge': async ({ deps, session: { merchantId }, query }) => {
    const { rows, total } = await pageFixedAddresses(deps.pool, merchantId, pageOf(query.current, query.pageSize))
    return {
      list: rows.map(({ id, address, created_at, definition, tokens, received_usdt }) => ({
        id,
        currency_id: definition.id,
        chain: definition.name,
        net_work: definition.network,
        address: addressForm[definition.kind].show(address),
        tokens,
        received_usdt: usdt(BigInt(received_usdt)),
        created_time: created_at,
      })),
      total,
    }
  },

  'POST /api/v1/account/recharge/funds': async ({ deps, session: { merchantId }, body: { currency_id } }) => {
    const { id, address, definition } = await allotFixedAddress(deps, { merchantId, chainId: currency_id })
    return {
      id,
      currency_id: definition.id,
      chain: definition.name,
      net_work: definition.network,
      address: addressForm[definition.kind].show(address),
    }
  },

  'GET /api/v1/account/stream': async ({ deps, session: { merchantId }, query: { current, pageSize, ...filter } }) => {
    const { rows, total } = await pageFundFlow(deps.pool, merchantId, filter, pageOf(current, pageSize))
    return {
      list: rows.map(({ id, kind, incoming, amount, balance, memo, created_at, token, decimals, definition }) => {
        const shown = (address = '') => address && addressForm[definition.kind].show(address)
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
          txid: shownTxid(definition, memo.txid ?? ''),
          created_time: created_at,
        }
      }),
      total,
    }
  },

  'GET /api/v1/account/expend': async ({ deps, session: { merchantId }, query: { page, pageSize, ...filter } }) => {
    const { rows, total } = await pageGasExpenses(deps.pool, merchantId, filter, pageOf(page, pageSize))
    return {
      list: rows.map(({ id, token, decimals, amount, txid, created_at, definition }) => ({
        id,
        currency: { token, logo: tokenLogo(token), chain: definition.name },
        amount: formatDecimal(BigInt(amount), decimals),
        txid: shownTxid(definition, txid),
        browser_url: explorerUrl(definition, 'tx', txid) ?? '',
        created_time: created_at,
      })),
      total,
    }
  },

  'GET /api/v1/account/address-valid': async ({ deps, query: { currency_id, address } }) => {
    const chain = await readChain(deps.pool, currency_id)
    if (!chain?.enabled) throw new Refusal('currency_not_exist', { field: 'currency_id' })
    const stored = addressForm[chain.kind].parse(address)
    return { valid: stored !== null, address: stored === null ? '' : addressForm[chain.kind].show(stored) }
  },
})
