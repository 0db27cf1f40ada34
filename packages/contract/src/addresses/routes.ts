import { z } from 'zod'
import { closedChainErrors } from '../chains/routes.ts'
import { depositStates } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { moneyRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  addressIndex,
  cursorListOf,
  cursorPaging,
  decimalAmount,
  exportQuery,
  id,
  listOf,
  optionalLine,
  outTradeNo,
  paging,
  requiredText,
  timeRange,
  unixSeconds,
} from '../kit/schemas.ts'
import { chainConfirmation } from '../payments/deposit.ts'

/** An address that an application gives one of its customers. */
const payAddress = z
  .object({
    id: z.string().meta(describeField({ en: 'ID of the address', 'zh-CN': '地址的 ID' })),
    reference: z
      .string()
      .meta(
        describeField({ en: 'Your reference, such as the number of a customer', 'zh-CN': '您的编号，例如客户编号' }),
      ),
    appid: z
      .string()
      .meta(describeField({ en: 'ID of the application that created it', 'zh-CN': '创建该地址的应用 ID' })),
    chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
    chain_id: z.string().meta(describeField({ en: 'ID of the chain', 'zh-CN': '链的 ID' })),
    address: z.string().meta(
      describeField({
        en: 'The address. Chains of one kind, such as Ethereum and BNB Smart Chain, share it',
        'zh-CN': '充值地址。同类链（例如 Ethereum 与 BNB Smart Chain）共用同一地址',
      }),
    ),
    address_index: addressIndex.meta(
      describeField({ en: addressIndex.description!, 'zh-CN': '地址在运营方账户下的序号，可据此推导地址：0/<序号>' }),
    ),
    tokens: z
      .array(z.string())
      .meta(describeField({ en: 'Tokens to send there; not the native coin', 'zh-CN': '可转入的代币，不包括原生币' })),
    created_time: unixSeconds.meta(describeField({ en: 'When the address was created', 'zh-CN': '地址创建时间' })),
  })
  .meta({ id: 'Address', description: 'A deposit address of one of your customers. It never expires' })

const reference = outTradeNo.meta(
  describeField({
    en: 'Your reference, unique per application: 1 to 64 printable characters',
    'zh-CN': '您的编号，在同一应用内唯一：1 至 64 个可打印字符',
  }),
)

/** A deposit without a payment, at an address of an application. */
export const addressDeposit = chainConfirmation
  .omit({ late: true })
  .extend({
    id: z.string().meta(
      describeField({
        en: 'ID of the deposit: credit your customer once for each',
        'zh-CN': '款项的 ID：每个 ID 仅为客户入账一次',
      }),
    ),
    address_id: z.string().meta(describeField({ en: 'ID of the address', 'zh-CN': '地址的 ID' })),
    reference: z.string().meta(describeField({ en: 'Your reference of the address', 'zh-CN': '该地址的编号' })),
    appid: z
      .string()
      .meta(describeField({ en: 'ID of the application that created the address', 'zh-CN': '创建该地址的应用 ID' })),
    chain_id: z.string().meta(describeField({ en: 'ID of the chain', 'zh-CN': '链的 ID' })),
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
  text: requiredText(128).optional().describe('A whole reference or address'),
  ...timeRange,
}

export const addressRoutes = defineRoutes({
  'GET /api/v1/account/fixed-address': {
    who: readingRoles,
    summary: 'List fixed addresses, newest first: the merchant’s own, and those that applications gave their customers',
    query: z.strictObject({
      ...paging,
      currency_id: id.optional(),
      appid: id.optional().describe('Application that created it; own for the merchant’s own'),
      text: requiredText(128).optional().describe('A whole reference or address'),
    }),
    data: listOf(
      fixedAddress.extend({
        reference: z.string().describe('Reference of an application; empty for the merchant’s own'),
        appid: z.string(),
        apply_name: z.string(),
        label: z.string(),
        received_usdt: decimalAmount.describe('Value of what was credited in USDT, at the rate of that time'),
        created_time: unixSeconds,
      }),
    ),
  },

  'POST /api/v1/account/fixed-address': {
    who: moneyRoles,
    summary:
      'Open a chain: create the fixed address of the merchant on it. The same chain returns the existing address',
    body: z.strictObject({ currency_id: id, label: optionalLine(64).default('') }),
    data: fixedAddress,
  },

  'PUT /api/v1/account/fixed-address': {
    who: moneyRoles,
    summary: 'Label a fixed address',
    body: z.strictObject({ id, label: optionalLine(64) }),
    data: z.object({ id: z.string() }),
  },

  'POST /api/v1/account/recharge/funds': {
    who: moneyRoles,
    summary: 'Get the fixed address to which a token can be sent; refused while its chain is not open',
    body: z.strictObject({ token_id: id }),
    data: fixedAddress.extend({
      token: z.string(),
      confirmations: z.int().describe('Confirmations after which a deposit is credited'),
    }),
  },

  'POST /api/v1/pay/addresses': {
    auth: 'key',
    scope: 'orders',
    summary: {
      en: 'Create a deposit address for one of your customers. The same reference and chain return the existing address',
      'zh-CN': '为您的客户创建充值地址。reference 和链均相同时返回原有地址',
    },
    docs: {
      id: 'createAddress',
      tag: 'Addresses',
      errors: ['parameter_error', 'currency_not_exist', ...closedChainErrors],
    },
    body: z
      .strictObject({ reference, chain: id.meta(describeField({ en: 'ID of a chain', 'zh-CN': '链的 ID' })) })
      .meta({ id: 'NewAddress', description: 'An address to create' }),
    data: payAddress,
  },

  'GET /api/v1/pay/addresses': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'List addresses of the application, newest first', 'zh-CN': '查询应用的充值地址列表，最新的在前' },
    docs: { id: 'listAddresses', tag: 'Addresses', errors: ['parameter_error'] },
    query: z.strictObject({
      ...cursorPaging,
      reference: reference.optional(),
      address: requiredText(128)
        .optional()
        .meta(describeField({ en: 'The whole address', 'zh-CN': '收款地址' })),
      chain: id.optional().meta(describeField({ en: 'ID of a chain', 'zh-CN': '链的 ID' })),
    }),
    data: cursorListOf(payAddress),
  },

  'GET /api/v1/pay/addresses/:id': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'Get an address', 'zh-CN': '查询充值地址' },
    docs: { id: 'getAddress', tag: 'Addresses', errors: ['parameter_error', 'address_not_exist'] },
    params: z.strictObject({
      id: id.meta(
        describeField({
          en: 'ID of the address',
          'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
        }),
      ),
    }),
    data: payAddress,
  },
})

export const rechargeRoutes = defineRoutes({
  'GET /api/v1/account/recharge': {
    who: readingRoles,
    replica: true,
    summary: 'List deposits without a payment, newest first',
    query: z.strictObject({ ...paging, ...rechargeFilter }),
    data: listOf(
      addressDeposit.extend({
        token_id: z.string(),
        apply_name: z.string(),
        label: z.string().describe('Label of the address'),
        usdt_value: decimalAmount.describe('Value in USDT when it arrived; 0 if unknown'),
      }),
    ),
  },

  'GET /api/v1/account/recharge/export': {
    who: readingRoles,
    kind: 'file',
    summary: 'Export the filtered deposits without a payment as .xlsx',
    query: exportQuery(rechargeFilter),
    data: z.any(),
  },

  'GET /api/v1/pay/deposits': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'List deposits at the addresses of a reference, newest first, also those that are not final yet',
      'zh-CN': '按 reference 查询充值地址收到的款项，最新的在前，包括等待确认的',
    },
    docs: { id: 'listDeposits', tag: 'Addresses', errors: ['parameter_error'] },
    query: z.strictObject({ ...cursorPaging, reference }),
    data: cursorListOf(addressDeposit),
  },
})
