import { z } from 'zod'
import { limits } from '../kit/limits.ts'
import { moneyRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  exportQuery,
  id,
  listOf,
  optionalLine,
  paging,
  proof,
  requiredLine,
  requiredText,
  unixSeconds,
  withAllowedHint,
} from '../kit/schemas.ts'

/** Who keeps the keys of a wallet: a service such as an exchange, or its owner. */
export const walletKinds = ['hosted', 'self_hosted'] as const

/** What can be changed of an entry. */
const about = {
  label: requiredLine(64),
  beneficiary: optionalLine(128).default('').describe('Travel rule: name of the person or company that is paid'),
  wallet: withAllowedHint(z.enum(['', ...walletKinds]), {
    en: 'hosted, self_hosted or empty',
    'zh-CN': 'hosted、self_hosted 或留空',
  })
    .default('')
    .describe('Travel rule: who keeps the keys'),
  institution: optionalLine(128).default('').describe('Travel rule: the service that keeps a hosted wallet'),
}

/** A new entry of the address book. */
export const addressBookEntry = z.strictObject({
  currency_id: id,
  address: requiredText(128),
  memo: optionalLine(128).default('').describe('Only for networks that have one'),
  ...about,
})
export type AddressBookEntry = z.output<typeof addressBookEntry>

/** A row of an imported file. What is wrong with it is reported for the row, so the schema allows any text. */
const cell = z.string().max(1_000).default('')
const importRow = z.strictObject({
  network: cell.describe('ID or name of the network'),
  address: cell,
  label: cell,
  memo: cell,
  beneficiary: cell,
  wallet: cell,
  institution: cell,
})
const rows = withAllowedHint(z.array(importRow).min(1).max(limits.importRowsMax), {
  en: `1 to ${limits.importRowsMax} rows`,
  'zh-CN': `1 至 ${limits.importRowsMax} 行`,
})
export type AddressBookImportRow = z.output<typeof importRow>

const similar = z
  .object({
    address: z.string(),
    from: z.int().describe('Index of the first differing character'),
    to: z.int().describe('Index behind the last one'),
  })
  .nullable()
  .describe('A known address that this one could be mistaken for')

const filter = {
  currency_id: id.optional(),
  text: requiredText(64).optional().describe('Part of a label or a beneficiary, or an address'),
}

const row = z.object({
  id: z.string(),
  label: z.string(),
  currency_id: z.string(),
  chain: z.string(),
  net_work: z.string(),
  address: z.string(),
  memo: z.string(),
  beneficiary: z.string(),
  wallet: z.enum(['', ...walletKinds]),
  institution: z.string(),
  known: z.boolean().describe('Whether the cool-down of the withdrawal policy is over'),
  known_time: unixSeconds.describe('When it is over'),
  created_time: unixSeconds,
})

export const addressBookRoutes = defineRoutes({
  'GET /api/v1/address': {
    who: readingRoles,
    summary: 'List the entries of the address book, newest first',
    query: z.strictObject({ ...paging, ...filter }),
    data: listOf(row).extend({
      memo_networks: z.array(z.string()).describe('Networks whose transfers can name a memo'),
    }),
  },
  'POST /api/v1/address': {
    who: moneyRoles,
    summary: 'Add an address to the address book',
    body: addressBookEntry.extend({ proof }),
    data: z.object({ id: z.string() }),
  },
  'PUT /api/v1/address': {
    who: moneyRoles,
    summary: 'Change an entry of the address book; its network and address never change',
    body: z.strictObject({ id, ...about, proof }),
    data: z.object({ id: z.string() }),
  },
  'DELETE /api/v1/address': {
    who: moneyRoles,
    summary: 'Remove an entry from the address book',
    body: z.strictObject({ id, proof }),
    data: z.object({ id: z.string() }),
  },
  'POST /api/v1/address/import/check': {
    who: moneyRoles,
    summary: 'Check the rows of a file before they are imported; stores nothing',
    body: z.strictObject({ rows }),
    data: z.object({
      rows: z
        .array(
          z.object({
            error: z.string().describe('Name of the error; empty for a row that can be imported'),
            msg: z.string(),
            field: z.string(),
            similar,
          }),
        )
        .describe('One result per row, in order'),
    }),
  },
  'POST /api/v1/address/import': {
    who: moneyRoles,
    summary: 'Import rows into the address book: all of them, or none',
    body: z.strictObject({ rows, proof }),
    data: z.object({ added: z.int() }),
  },
  'GET /api/v1/address/export': {
    who: readingRoles,
    kind: 'file',
    summary: 'Export the filtered entries as .xlsx, with the columns that an import reads',
    query: exportQuery(filter),
    data: z.any(),
  },
})
