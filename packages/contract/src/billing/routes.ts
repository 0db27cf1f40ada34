import { z } from 'zod'
import { fiats } from '../codes.ts'
import { moneyRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  decimalAmount,
  integerTextBetween,
  listOf,
  optionalLine,
  optionalText,
  paging,
  unixSeconds,
  validatedText,
  withAllowedHint,
} from '../kit/schemas.ts'
import { invoiceItems } from './items.ts'

const month = withAllowedHint(
  validatedText(value => /^20\d\d-(?:0[1-9]|1[0-2])$/.test(value), 'parameter_error'),
  { en: 'a month such as 2026-10', 'zh-CN': '月份，例如 2026-10' },
)

const details = { name: optionalLine(128), address: optionalText(500), tax_number: optionalText(64) }

const unvalued = z.int().describe('Entries without a reliable price at their time, which the value leaves out')
const line = z.object({
  item: z.enum(invoiceItems),
  token: z.string(),
  chain: z.string(),
  count: z.int(),
  amount: decimalAmount,
  value: decimalAmount
    .nullable()
    .describe('Value in the fiat of the invoice, of each entry at its time; null when no entry has a reliable price'),
  unvalued,
})
export type InvoiceLine = z.output<typeof line>

const bill = {
  month: z.string(),
  start_time: unixSeconds,
  end_time: unixSeconds.describe('Exclusive'),
  fiat: z.string(),
  lines: z.array(line),
  total: decimalAmount.nullable().describe('Value of what was charged; null when no line has one'),
  unvalued,
}
const invoice = {
  number: z.string(),
  version: z.int().describe('Above 1: a correction of an earlier invoice'),
  issued_time: unixSeconds,
}

export const billingRoutes = defineRoutes({
  'GET /api/v1/account/billing': {
    who: readingRoles,
    summary: 'Get the plan, the billing details and what this month has cost so far',
    data: z.object({
      plan: z.object({
        fee_bps: z.int().describe('On each payment, in hundredths of a percent'),
        withdraw_fee_bps: z.int().describe('On each withdrawal, in hundredths of a percent'),
        own: z.boolean().describe('Whether the operator has set fees for this merchant'),
      }),
      details: z.object({ name: z.string(), address: z.string(), tax_number: z.string(), fiat: z.string() }),
      current: z.object(bill),
    }),
  },
  'PUT /api/v1/account/billing': {
    who: moneyRoles,
    summary: 'Set the billing details, which later invoices show, and the currency in which entries are valued',
    body: z.strictObject({ ...details, fiat: z.enum(fiats) }),
    data: z.object({}),
  },
  'GET /api/v1/account/invoices': {
    who: readingRoles,
    replica: true,
    summary: 'List the invoices, newest month first, each in its latest version',
    query: z.strictObject(paging),
    data: listOf(
      z.object({
        ...invoice,
        month: z.string(),
        fiat: z.string(),
        count: z.int(),
        total: decimalAmount.nullable(),
        unvalued,
      }),
    ),
  },
  'GET /api/v1/account/invoices/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the lines of all invoices as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: z.strictObject({}),
    data: z.any(),
  },
  'GET /api/v1/account/invoice': {
    who: readingRoles,
    summary: 'Get the invoice of a month, by default in its latest version',
    query: z.strictObject({ month, version: integerTextBetween(1, 1_000).optional() }),
    data: z.object({
      ...invoice,
      ...bill,
      mchid: z.string(),
      details: z.object({ name: z.string(), address: z.string(), tax_number: z.string() }),
      corrects: z.string().describe('Number of the invoice that this one replaces, or empty'),
      corrected_by: z.string().describe('Number of the invoice that replaces this one, or empty'),
    }),
  },
  'POST /api/v1/account/invoice/correct': {
    who: moneyRoles,
    summary: 'Issue the invoice of a month again with the present billing details; the earlier one is kept',
    body: z.strictObject({ month }),
    data: z.object({ number: z.string() }),
  },
})
