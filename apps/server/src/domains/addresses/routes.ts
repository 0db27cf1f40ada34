import { kinds } from '@coffer/chains'
import { defineHandlers } from '../../http/context.ts'
import { usdt } from '../../kit/amounts.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readChain } from '../chains/store.ts'
import { allotFixedAddress } from './allot-fixed-address.ts'
import { pageFixedAddresses } from './fixed.ts'

/** Fixed addresses of the merchant, and the check of any address. */
export const addressHandlers = defineHandlers({
  'GET /api/v1/account/recharge': async ({ deps, session: { merchantId }, query }) => {
    const { rows, total } = await pageFixedAddresses(deps.pool, merchantId, pageOf(query))
    return listAnswer(rows, total, ({ id, address, created_at, definition, tokens, received_usdt }) => ({
      id,
      currency_id: definition.id,
      chain: definition.name,
      net_work: definition.network,
      address: kinds[definition.kind].address.show(address),
      tokens,
      received_usdt: usdt(BigInt(received_usdt)),
      created_time: created_at,
    }))
  },

  'POST /api/v1/account/recharge/funds': async ({ deps, session: { merchantId }, body: { currency_id } }) => {
    const { id, address, definition } = await allotFixedAddress(deps, { merchantId, chainId: currency_id })
    return {
      id,
      currency_id: definition.id,
      chain: definition.name,
      net_work: definition.network,
      address: kinds[definition.kind].address.show(address),
    }
  },

  'GET /api/v1/account/address-valid': async ({ deps, query: { currency_id, address } }) => {
    const chain = await readChain(deps.pool, currency_id)
    if (!chain?.enabled) throw new Refusal('currency_not_exist', { field: 'currency_id' })
    const stored = kinds[chain.kind].address.parse(address)
    return { valid: stored !== null, address: stored === null ? '' : kinds[chain.kind].address.show(stored) }
  },
})
