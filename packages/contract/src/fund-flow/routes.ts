import { z } from 'zod'
import { fundFlowTypes } from '../codes.ts'
import { readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { decimalAmount, id, listOf, paging, timeRange, unixSeconds } from '../kit/schemas.ts'

export const fundAccounts = ['available', 'held'] as const
export type FundAccount = (typeof fundAccounts)[number]
export const fundFlowDirections = ['in', 'out'] as const
export type FundFlowDirection = (typeof fundFlowDirections)[number]
/** `reserve`: between the available and the held balance. `platform`: fees, gas and adjustments. */
export const paymentTypes = ['on_chain', 'internal', 'reserve', 'platform'] as const
export type PaymentType = (typeof paymentTypes)[number]
/** What posted an entry. `deposit`: a recharge. */
export const fundFlowCauses = ['payment', 'deposit', 'withdrawal', 'refund', 'transfer', 'other'] as const
export type FundFlowCause = (typeof fundFlowCauses)[number]
export const fundFlowExportFormats = ['xlsx', 'csv', 'hledger'] as const
export type FundFlowExportFormat = (typeof fundFlowExportFormats)[number]

const filter = {
  ...timeRange,
  type: z.enum(fundFlowTypes).optional(),
  network_id: id.optional(),
  token_id: id.optional(),
  direction: z.enum(fundFlowDirections).optional().describe('Of the account; of both together, a reserve is neither'),
}
const account = z.enum(fundAccounts)

const gasFilter = { ...timeRange, network_id: id.optional(), token_id: id.optional() }

export const fundFlowRoutes = defineRoutes({
  'GET /api/v1/account/stream': {
    who: readingRoles,
    replica: true,
    summary: 'List the fund flow: every change of a balance, newest first',
    query: z.strictObject({ ...paging, ...filter, account: account.default('available') }),
    data: listOf(
      z.object({
        id: z.string().describe('Serial number'),
        type: z.enum(fundFlowTypes),
        payment_type: z.enum(paymentTypes),
        account: z.enum(fundAccounts).describe('The account that changed'),
        direction: z.enum(fundFlowDirections),
        token: z.string(),
        chain: z.string(),
        amount: decimalAmount,
        balance: decimalAmount.describe('Balance of the account after this entry'),
        from_address: z.string(),
        to_address: z.string(),
        trade_no: z.string(),
        cause: z.object({ kind: z.enum(fundFlowCauses), id: z.string() }),
        txid: z.string(),
        browser_url: z.string(),
        value: z
          .object({
            fiat: z.string(),
            amount: decimalAmount,
            rate: decimalAmount,
            source: z.string(),
            time: unixSeconds,
          })
          .nullable()
          .describe('Value in the merchant’s fiat at the time, or null when no reliable price was known'),
        created_time: unixSeconds,
      }),
    ),
  },
  'GET /api/v1/account/stream/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the filtered fund flow: xlsx newest first, csv and hledger (plain-text accounting) oldest first. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: z.strictObject({
      ...filter,
      account: account.optional().describe('By default the available one, and both in a journal of hledger'),
      format: z.enum(fundFlowExportFormats).default('xlsx'),
    }),
    data: z.any(),
  },
  'GET /api/v1/account/expend': {
    who: readingRoles,
    replica: true,
    summary: 'List gas fees of fund aggregation, newest first',
    query: z.strictObject({ page: paging.current, pageSize: paging.pageSize, ...gasFilter }),
    data: listOf(
      z.object({
        id: z.string(),
        currency: z.object({ token: z.string(), logo: z.string(), chain: z.string() }),
        amount: decimalAmount,
        txid: z.string(),
        browser_url: z.string(),
        created_time: unixSeconds,
      }),
    ),
  },
  'GET /api/v1/account/expend/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the filtered gas fees as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: z.strictObject(gasFilter),
    data: z.any(),
  },
})
