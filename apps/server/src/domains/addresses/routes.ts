import { type ChainDefinition, kinds } from '@coffer/chains'
import { defineHandlers } from '../../http/context.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readChain } from '../chains/store.ts'
import { assignFixedAddress } from './assign-address.ts'
import { countFixedAddresses, listFixedAddresses } from './store.ts'

/** Fixed addresses of the merchant, and the validation of any address. */
export const addressHandlers = defineHandlers({
  'GET /api/v1/account/recharge': async ({ deps, session: { merchantId }, query }) => {
    const { limit, offset } = pageOf(query)
    const rows = listFixedAddresses(deps.pool, merchantId, limit, offset)
    return listAnswer(rows, countFixedAddresses(deps.pool, merchantId), row => ({
      ...fixedAddress(row),
      tokens: row.tokens,
      received_usdt: usdtValueText(BigInt(row.received_usdt)),
      created_time: row.created_at,
    }))
  },

  'POST /api/v1/account/recharge/funds': async ({ deps, session: { merchantId }, body: { currency_id } }) =>
    fixedAddress(await assignFixedAddress(deps, merchantId, currency_id)),

  'GET /api/v1/account/address-valid': async ({ deps, query: { currency_id, address } }) => {
    const chain = await readChain(deps.pool, currency_id)
    if (!chain?.enabled) throw new Refusal('currency_not_exist', { field: 'currency_id' })
    const stored = kinds[chain.kind].address.parse(address)
    return { valid: stored !== null, address: stored === null ? '' : kinds[chain.kind].address.show(stored) }
  },
})

const fixedAddress = ({ id, address, definition }: { id: string; address: string; definition: ChainDefinition }) => ({
  id,
  currency_id: definition.id,
  chain: definition.name,
  net_work: definition.network,
  address: kinds[definition.kind].address.show(address),
})
