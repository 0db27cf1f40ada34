import { z } from 'zod'
import { chainConfirmation } from './payments.ts'
import { defineRoutes } from './route.ts'
import { id, listOf, money, outTradeNo, paging, required, unixSeconds } from './schemas.ts'

/** An address that an application gives one of its customers. */
const payAddress = z
  .object({
    id: z.string().describe('ID of the address'),
    reference: z.string().describe('Your reference, such as the number of a customer'),
    appid: z.string().describe('ID of the application that created it'),
    chain: z.string().describe('Name of the chain'),
    chain_id: z.string().describe('ID of the chain'),
    address: z.string().describe('The address. Chains of one kind, such as Ethereum and BNB Smart Chain, share it'),
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

export const addressRoutes = defineRoutes({
  'GET /api/v1/account/recharge': {
    auth: 'token',
    summary: 'List the fixed deposit addresses of the merchant, with the amount received at each',
    query: z.strictObject(paging),
    data: listOf(
      z.object({
        id: z.string(),
        currency_id: z.string(),
        chain: z.string(),
        net_work: z.string(),
        address: z.string(),
        tokens: z.array(z.string()),
        received_usdt: money,
        created_time: unixSeconds,
      }),
    ),
  },
  'POST /api/v1/account/recharge/funds': {
    auth: 'token',
    submission: true,
    summary: 'Get the fixed deposit address of the merchant on a chain; created on the first call',
    body: z.strictObject({ currency_id: id }),
    data: z.object({
      id: z.string(),
      currency_id: z.string(),
      chain: z.string(),
      net_work: z.string(),
      address: z.string(),
    }),
  },
  'POST /api/v1/pay/addresses': {
    auth: 'key',
    submission: true,
    summary: {
      en: 'Create a deposit address for one of your customers. The same reference and chain return the existing address',
      'zh-CN': '为您的客户创建充值地址。reference 和链均相同时返回原有地址',
    },
    docs: {
      id: 'createAddress',
      tag: 'Addresses',
      errors: [
        'parameter_error',
        'currency_not_exist',
        'chain_unavailable',
        'idempotency_conflict',
        'idempotency_in_flight',
      ],
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
      ...paging,
      reference: reference.optional(),
      address: required(128).optional().describe('The whole address'),
      chain: id.optional().describe('ID of a chain'),
    }),
    data: listOf(payAddress),
  },
  'GET /api/v1/pay/addresses/:id': {
    auth: 'key',
    summary: { en: 'Get an address', 'zh-CN': '查询充值地址' },
    docs: { id: 'getAddress', tag: 'Addresses', errors: ['parameter_error', 'address_not_exist'] },
    params: z.strictObject({ id: id.describe('ID of the address') }),
    data: payAddress,
  },
  'GET /api/v1/pay/deposits': {
    auth: 'key',
    summary: {
      en: 'List deposits at the addresses of a reference, newest first, also those that are not final yet',
      'zh-CN': '按 reference 查询充值地址收到的款项，最新的在前，包括等待确认的',
    },
    docs: { id: 'listDeposits', tag: 'Addresses', errors: ['parameter_error'] },
    query: z.strictObject({ ...paging, reference }),
    data: listOf(addressDeposit),
  },
})
