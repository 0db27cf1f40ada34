import { z } from 'zod'
import { closedChain } from '../chains/routes.ts'
import { depositStates } from '../codes.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  addressIndex,
  cursorListOf,
  cursorPaging,
  exportQuery,
  id,
  listOf,
  money,
  optionalLine,
  outTradeNo,
  paging,
  required,
  timeRange,
  unixSeconds,
} from '../kit/schemas.ts'
import { chainConfirmation } from '../payments/routes.ts'

/** An address that an application gives one of its customers. */
const payAddress = z
  .object({
    id: z.string().describe('ID of the address'),
    reference: z.string().describe('Your reference, such as the number of a customer'),
    appid: z.string().describe('ID of the application that created it'),
    chain: z.string().describe('Name of the chain'),
    chain_id: z.string().describe('ID of the chain'),
    address: z.string().describe('The address. Chains of one kind, such as Ethereum and BNB Smart Chain, share it'),
    address_index: addressIndex,
    tokens: z.array(z.string()).describe('Tokens to send there; not the native coin'),
    created_time: unixSeconds.describe('When the address was created'),
  })
  .meta({ id: 'Address', description: 'A deposit address of one of your customers. It never expires' })

const reference = outTradeNo.describe('Your reference, unique per application: 1 to 64 printable characters')

/** A deposit without a payment, at an address of an application. */
export const addressDeposit = chainConfirmation
  .omit({ late: true })
  .extend({
    id: z.string().describe('ID of the deposit: credit your customer once for each'),
    address_id: z.string().describe('ID of the address'),
    reference: z.string().describe('Your reference of the address'),
    appid: z.string().describe('ID of the application that created the address'),
    chain_id: z.string().describe('ID of the chain'),
  })
  .meta({ id: 'AddressDeposit', description: 'A transfer to an address of one of your customers' })

const fixedAddress = z.object({
  id: z.string(),
  currency_id: z.string(),
  chain: z.string(),
  net_work: z.string(),
  address: z.string(),
  tokens: z.array(z.string()).describe('Tokens to send there'),
})

const rechargeFilter = {
  token_id: id.optional(),
  state: z.enum(depositStates).optional(),
  text: required(128).optional().describe('A whole reference or address'),
  ...timeRange,
}

export const addressRoutes = defineRoutes({
  'GET /api/v1/account/fixed-address': {
    summary: 'List fixed addresses, newest first: the merchant’s own, and those that applications gave their customers',
    query: z.strictObject({
      ...paging,
      currency_id: id.optional(),
      appid: id.optional().describe('Application that created it; own for the merchant’s own'),
      text: required(128).optional().describe('A whole reference or address'),
    }),
    data: listOf(
      fixedAddress.extend({
        reference: z.string().describe('Reference of an application; empty for the merchant’s own'),
        appid: z.string(),
        apply_name: z.string(),
        label: z.string(),
        received_usdt: money.describe('Value of what was credited in USDT, at the rate of that time'),
        created_time: unixSeconds,
      }),
    ),
  },

  'POST /api/v1/account/fixed-address': {
    summary:
      'Open a chain: create the fixed address of the merchant on it. The same chain returns the existing address',
    body: z.strictObject({ currency_id: id, label: optionalLine(64).default('') }),
    data: fixedAddress,
  },

  'PUT /api/v1/account/fixed-address': {
    summary: 'Label a fixed address',
    body: z.strictObject({ id, label: optionalLine(64) }),
    data: z.object({ id: z.string() }),
  },

  'POST /api/v1/account/recharge/funds': {
    summary: 'Get the fixed address to which a token can be sent; refused while its chain is not open',
    body: z.strictObject({ token_id: id }),
    data: fixedAddress.extend({
      token: z.string(),
      confirmations: z.int().describe('Confirmations after which a deposit is credited'),
    }),
  },

  'POST /api/v1/pay/addresses': {
    auth: 'key',
    summary: {
      en: 'Create a deposit address for one of your customers. The same reference and chain return the existing address',
      'zh-CN': '为您的客户创建充值地址。reference 和链均相同时返回原有地址',
    },
    docs: {
      id: 'createAddress',
      tag: 'Addresses',
      errors: ['parameter_error', 'currency_not_exist', ...closedChain],
    },
    body: z
      .strictObject({ reference, chain: id.describe('ID of a chain') })
      .meta({ id: 'NewAddress', description: 'An address to create' }),
    data: payAddress,
  },

  'GET /api/v1/pay/addresses': {
    auth: 'key',
    summary: { en: 'List addresses of the application, newest first', 'zh-CN': '查询应用的充值地址列表，最新的在前' },
    docs: { id: 'listAddresses', tag: 'Addresses', errors: ['parameter_error'] },
    query: z.strictObject({
      ...cursorPaging,
      reference: reference.optional(),
      address: required(128).optional().describe('The whole address'),
      chain: id.optional().describe('ID of a chain'),
    }),
    data: cursorListOf(payAddress),
  },

  'GET /api/v1/pay/addresses/:id': {
    auth: 'key',
    summary: { en: 'Get an address', 'zh-CN': '查询充值地址' },
    docs: { id: 'getAddress', tag: 'Addresses', errors: ['parameter_error', 'address_not_exist'] },
    params: z.strictObject({ id: id.describe('ID of the address') }),
    data: payAddress,
  },
})

export const rechargeRoutes = defineRoutes({
  'GET /api/v1/account/recharge': {
    summary: 'List deposits without a payment, newest first',
    query: z.strictObject({ ...paging, ...rechargeFilter }),
    data: listOf(
      addressDeposit.extend({
        token_id: z.string(),
        apply_name: z.string(),
        label: z.string().describe('Label of the address'),
        usdt_value: money.describe('Value in USDT when it arrived; 0 if unknown'),
      }),
    ),
  },

  'GET /api/v1/account/recharge/export': {
    kind: 'file',
    summary: 'Export the filtered deposits without a payment as .xlsx',
    query: exportQuery(rechargeFilter),
    data: z.any(),
  },

  'GET /api/v1/pay/deposits': {
    auth: 'key',
    summary: {
      en: 'List deposits at the addresses of a reference, newest first, also those that are not final yet',
      'zh-CN': '按 reference 查询充值地址收到的款项，最新的在前，包括等待确认的',
    },
    docs: { id: 'listDeposits', tag: 'Addresses', errors: ['parameter_error'] },
    query: z.strictObject({ ...cursorPaging, reference }),
    data: cursorListOf(addressDeposit),
  },
})
