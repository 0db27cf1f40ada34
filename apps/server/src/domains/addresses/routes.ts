import { type ChainDefinition, kinds } from '@coffer/chains'
import { defineHandlers } from '../../http/context.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { assignFixedAddress } from './assign-address.ts'
import { countFixedAddresses, listFixedAddresses } from './store.ts'

/** Fixed addresses of the merchant. */
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
})

const fixedAddress = ({ id, address, definition }: { id: string; address: string; definition: ChainDefinition }) => ({
  id,
  currency_id: definition.id,
  chain: definition.name,
  net_work: definition.network,
  address: kinds[definition.kind].address.show(address),
})
