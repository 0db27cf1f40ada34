import { kinds } from '@coffer/chains'
import { defineHandlers } from '../../http/context.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { assignFixedAddress, createAddress, type FixedAddress } from './assign-address.ts'
import { listFixedAddresses, readFixedAddress } from './store.ts'

/** Fixed addresses of the merchant, and those that applications give their customers. */
export const addressHandlers = defineHandlers({
  'GET /api/v1/account/recharge': async ({ deps, session: { merchantId }, query }) => {
    const { rows, total } = await listFixedAddresses(deps.pool, merchantId, {}, pageOf(query))
    return listAnswer(rows, total, row => ({
      ...fixedAddress(row),
      tokens: row.tokens,
      received_usdt: usdtValueText(BigInt(row.received_usdt)),
      created_time: row.created_at,
    }))
  },

  'POST /api/v1/account/recharge/funds': async ({ deps, session: { merchantId }, body: { currency_id } }) =>
    fixedAddress(await assignFixedAddress(deps, merchantId, currency_id)),

  'POST /api/v1/pay/addresses': async ({ deps, holder, body: { reference, chain: chainId } }) =>
    payAddress(await createAddress(deps, { ...holder, reference, chainId })),

  'GET /api/v1/pay/addresses': async ({ deps, holder: { merchantId, appid }, query }) => {
    const { reference, address, chain: chain_id } = query
    const text = reference ?? address
    const { rows, total } = await listFixedAddresses(deps.pool, merchantId, { appid, chain_id, text }, pageOf(query))
    return listAnswer(rows, total, payAddress)
  },

  'GET /api/v1/pay/addresses/:id': async ({ deps, holder: { merchantId, appid }, params: { id } }) => {
    const found = await readFixedAddress(deps.pool, merchantId, appid, id)
    if (!found) throw new Refusal('address_not_exist', { field: 'id' })
    return payAddress(found)
  },
})

const shown = ({ address, definition }: Pick<FixedAddress, 'address' | 'definition'>) =>
  kinds[definition.kind].address.show(address)

const fixedAddress = (row: FixedAddress) => ({
  id: row.id,
  currency_id: row.chain_id,
  chain: row.definition.name,
  net_work: row.definition.network,
  address: shown(row),
})

const payAddress = (row: FixedAddress) => ({
  id: row.id,
  reference: row.reference,
  appid: row.appid,
  chain: row.definition.name,
  chain_id: row.chain_id,
  address: shown(row),
  tokens: row.tokens ?? [],
  created_time: row.created_at,
})
