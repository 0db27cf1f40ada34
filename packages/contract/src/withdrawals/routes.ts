import { z } from 'zod'
import { withdrawalStatus } from '../codes.ts'
import { proofMethod } from '../identity/routes.ts'
import { moneyRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  codeFilter,
  decimalAmount,
  emptyObject,
  exportQuery,
  id,
  listOf,
  optionalText,
  paging,
  proof,
  requiredText,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { isTxid } from '../kit/texts.ts'
import { policyReport } from '../policies/routes.ts'

const withdrawalRow = z.object({
  id: z.string().describe('Number of the withdrawal, 32 digits'),
  out_no: z.string().describe('The merchant’s own number; empty for withdrawals from the back-office'),
  appid: z.string().describe('Application that requested it; empty for withdrawals from the back-office'),
  apply_name: z.string(),
  status: z.int().describe('See withdrawalStatus'),
  can_cancel: z.boolean(),
  token_id: z.string(),
  token: z.string(),
  logo: z.string(),
  network_id: z.string(),
  chain: z.string(),
  net_work: z.string(),
  address: z.string().describe('Receiving address'),
  amount: decimalAmount.describe('Amount taken from the balance'),
  fee: decimalAmount.describe('Withdraw fee'),
  gas: decimalAmount.describe('Gas included, in `token`'),
  receives: decimalAmount.describe('Amount that arrives'),
  usdt_value: decimalAmount.describe('Value of `amount` in USDT when it was requested'),
  txid: z.string(),
  browser_url: z.string(),
  reason: z.string().describe('Why it was rejected or failed, or waits'),
  remark: z.string(),
  created_time: unixSeconds,
  updated_time: unixSeconds,
})

const rate = z.object({ price: decimalAmount, source: z.string(), time: unixSeconds })

export const withdrawalFilter = {
  status: codeFilter(withdrawalStatus),
  network_id: id.optional(),
  token_id: id.optional(),
  appid: id.optional(),
  id: tradeNo.optional(),
  txid: z.string().refine(isTxid, { error: 'parameter_error' }).optional(),
  address: requiredText(128).optional(),
  ...timeRange,
}

export const withdrawalRoutes = defineRoutes({
  'GET /api/v1/account/withdraw-setting': {
    who: readingRoles,
    summary: 'List the settings of withdrawals and aggregation by token and network',
    data: z.object({
      list: z.array(
        z.object({
          token_id: z.string(),
          token: z.string(),
          logo: z.string(),
          chain: z.string(),
          net_work: z.string(),
          gas_limit: decimalAmount.describe('Most gas that a withdrawal may include, in `token`; empty for no limit'),
          minimum: decimalAmount.describe(
            'Balance of a deposit address from which it is aggregated; empty for the default',
          ),
          automatic: z.boolean().describe('Whether deposits are aggregated by themselves'),
        }),
      ),
    }),
  },
  'PUT /api/v1/account/withdraw-setting': {
    who: moneyRoles,
    summary: 'Save the settings of a token',
    body: z.strictObject({
      token_id: id,
      gas_limit: z.union([amount, z.literal('')]),
      minimum: z.union([amount, z.literal('')]),
      automatic: z.boolean(),
      proof: proof.optional(),
    }),
    data: emptyObject,
  },
  'GET /api/v1/account/cost': {
    who: moneyRoles,
    summary: 'Quote a withdrawal: rate, fee, gas, amount received, limits, and the answer of the policy',
    query: z.strictObject({
      token_id: id,
      amount: amount.optional(),
      address: requiredText(128).optional().describe('Destination, which rules of the policy may depend on'),
    }),
    data: z.object({
      token_id: z.string(),
      token: z.string(),
      chain: z.string(),
      balance: decimalAmount.describe('Available balance'),
      rate: rate.describe('USDT for one token'),
      fee_bps: z.int().describe('Withdraw fee in hundredths of a percent of the amount'),
      amount: decimalAmount,
      fee: decimalAmount.describe('Withdraw fee'),
      gas: decimalAmount.describe('Gas included, in `token`'),
      receives: decimalAmount.describe('Actual amount received; 0 if the amount is too small'),
      usdt_value: decimalAmount.describe('Value of the amount in USDT'),
      minimum: decimalAmount.describe('Smallest amount'),
      maximum: decimalAmount.describe('Maximum amount that balance and limits allow now; 0 if none'),
      refused: z.string().describe('Name of the error with which the request would be refused now; empty if none'),
      outcome: z
        .enum(['allowed', 'approval', 'factor', 'refused'])
        .describe('approval: somebody else must approve; factor: a passkey must confirm'),
      policy: z.array(policyReport),
      methods: z.array(proofMethod).describe('What can confirm the withdrawal'),
      quote: z.string().describe('Send it with the request to have this rate and gas; empty without an amount'),
      quote_until: unixSeconds.describe('When the quote expires'),
    }),
  },
  'POST /api/v1/account/withdrawal': {
    who: moneyRoles,
    summary: 'Request a withdrawal. The amount is reserved at once',
    body: z.strictObject({
      token_id: id,
      address: requiredText(128),
      amount,
      quote: optionalText(500).optional(),
      remark: optionalText(200).optional(),
      proof: proof.optional(),
    }),
    data: withdrawalRow,
  },
  'POST /api/v1/account/withdrawal/cancel': {
    who: moneyRoles,
    summary: 'Cancel a withdrawal that is not being sent yet',
    body: z.strictObject({ id: tradeNo }),
    data: emptyObject,
  },
  'GET /api/v1/account/withdrawal-list': {
    who: readingRoles,
    replica: true,
    summary: 'List withdrawals, newest first',
    query: z.strictObject({ ...paging, ...withdrawalFilter }),
    data: listOf(withdrawalRow),
  },
  'GET /api/v1/account/withdrawal-list/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the filtered withdrawals as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: exportQuery(withdrawalFilter),
    data: z.any(),
  },
  'GET /api/v1/account/withdrawal': {
    who: readingRoles,
    summary: 'Get a withdrawal with its history',
    query: z.strictObject({ id: tradeNo }),
    data: withdrawalRow.extend({
      rate,
      policy: z.array(policyReport).describe('What the policy said when it was requested'),
      approver: z.string().describe('Email of who is asked to approve by a link; empty if nobody is'),
      approved_by: z.string(),
      approved_time: unixSeconds,
      requester: z.string().optional().describe('Email of who asked; only in a shop of several members'),
      deciders: z
        .array(z.string())
        .optional()
        .describe('Emails of the members who may decide while it waits; only in a shop of several members'),
      history: z.array(z.object({ status: z.int(), event: z.string(), detail: z.string(), time: unixSeconds })),
    }),
  },
})
