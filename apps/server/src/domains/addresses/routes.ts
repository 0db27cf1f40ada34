import { chainAdapters } from '@coffer/chains'
import { defineHandlers } from '../../http/context.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { cursorAnswer } from '../../kit/cursor.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readEnabledAsset } from '../chains/assets.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { merchantById } from '../merchants/store.ts'
import { assignFixedAddress, createApplicationAddress, type FixedAddress } from './assign-address.ts'
import { addressFile, labelAddress, listFixedAddresses, listReferenceAddresses, readFixedAddress } from './store.ts'

/** Fixed addresses of the merchant, and those that applications give their customers. */
export const addressHandlers = defineHandlers({
  'GET /api/v1/account/fixed-address': async ({ deps, session: { merchantId }, query }) => {
    const { currency_id: chain_id, appid, text } = query
    const filter = { chain_id, appid: appid === 'own' ? '' : appid, text }
    return pageAnswer(listFixedAddresses(deps.pool, merchantId, filter, pageOf(query)), row => ({
      ...fixedAddress(row),
      reference: row.reference,
      appid: row.appid,
      apply_name: row.apply_name,
      label: row.label,
      received_usdt: usdtValueText(row.received_usdt),
      created_time: row.created_at,
    }))
  },

  'POST /api/v1/account/fixed-address': async ({ deps, session: { merchantId }, body: { currency_id, label } }) =>
    fixedAddress(await assignFixedAddress(deps, merchantId, currency_id, label.trim())),

  'PUT /api/v1/account/fixed-address': async ({ deps: { pool }, session: { merchantId }, body: { id, label } }) => {
    if ((await labelAddress(pool, merchantId, id, label.trim())) === 0)
      throw new Refusal('address_not_exist', { field: 'id' })
    return { id }
  },

  'POST /api/v1/account/recharge/funds': async ({ deps: { pool }, session: { merchantId }, body: { token_id } }) => {
    const asset = await readEnabledAsset(pool, token_id)
    if (!asset) throw new Refusal('currency_not_exist', { field: 'token_id' })
    requireActiveMerchant(await merchantById(pool, merchantId), { approved: true })
    const own = await listReferenceAddresses(pool, merchantId, '', '')
    const opened = own.find(each => each.chain_id === asset.chain_id)
    if (!opened) throw new Refusal('open_usdt_chain_first', { field: 'token_id' })
    const { confirmations } = asset.definition
    return {
      ...fixedAddress((await readFixedAddress(pool, merchantId, '', opened.id))!),
      token: asset.symbol,
      confirmations,
    }
  },

  'POST /api/v1/pay/addresses': async ({ deps, holder, body: { reference, chain: chainId } }) =>
    payAddress(await createApplicationAddress(deps, { ...holder, reference, chainId })),

  'GET /api/v1/pay/addresses': async ({ deps, holder: { merchantId, appid }, query }) => {
    const { reference, address, chain: chain_id } = query
    const text = reference ?? address
    const of = { merchantId, filter: { appid, chain_id, text } }
    const list = { page: listFixedAddresses, next: addressFile.next }
    return cursorAnswer(deps.pool, list, of, query, payAddress, row => row.created_at)
  },

  'GET /api/v1/pay/addresses/:id': async ({ deps, holder: { merchantId, appid }, params: { id } }) => {
    const found = await readFixedAddress(deps.pool, merchantId, appid, id)
    if (!found) throw new Refusal('address_not_exist', { field: 'id' })
    return payAddress(found)
  },
})

const shown = ({ address, definition }: Pick<FixedAddress, 'address' | 'definition'>) =>
  chainAdapters[definition.kind].address.show(address)

const fixedAddress = (row: FixedAddress) => ({
  id: row.id,
  currency_id: row.chain_id,
  chain: row.definition.name,
  net_work: row.definition.network,
  address: shown(row),
  tokens: row.tokens ?? [],
})

const payAddress = (row: FixedAddress) => ({
  id: row.id,
  reference: row.reference,
  appid: row.appid,
  chain: row.definition.name,
  chain_id: row.chain_id,
  address: shown(row),
  address_index: row.key_index,
  tokens: row.tokens ?? [],
  created_time: row.created_at,
})
