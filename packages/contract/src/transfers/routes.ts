import { z } from 'zod'
import { moneyRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  decimalAmount,
  exportQuery,
  id,
  listOf,
  optionalText,
  paging,
  proof,
  timeRange,
  unixSeconds,
  validatedText,
  withAllowedHint,
} from '../kit/schemas.ts'
import { isEmail, isMchid } from '../kit/validators.ts'

const account = withAllowedHint(
  validatedText(value => isMchid(value) || isEmail(value), 'bad_account').transform(value =>
    isMchid(value) ? value : value.toLowerCase(),
  ),
  { en: 'a merchant ID such as M1234567890, or an email', 'zh-CN': '商户号（例如 M1234567890）或邮箱' },
)

const directions = ['in', 'out'] as const

const filter = {
  ...timeRange,
  id: id.optional().describe('Serial number'),
  direction: z.enum(directions).optional(),
  token_id: id.optional(),
}

export const transferRoutes = defineRoutes({
  'GET /api/v1/account/internal-transfer/receiver': {
    who: moneyRoles,
    summary: 'Look up who would receive an internal transfer, by merchant ID or email; names are masked',
    query: z.strictObject({ account }),
    data: z.object({ mchid: z.string(), name: z.string(), email: z.string() }),
  },
  'POST /api/v1/account/internal-transfer': {
    who: moneyRoles,
    summary: 'Transfer a balance to another merchant, at once and free of charge',
    body: z.strictObject({ account, token_id: id, amount, note: optionalText(128).default(''), proof }),
    data: z.object({ id: z.string() }),
  },
  'GET /api/v1/account/internal-transfer': {
    who: readingRoles,
    replica: true,
    summary: 'List internal transfers, sent and received, newest first',
    query: z.strictObject({ ...paging, ...filter }),
    data: listOf(
      z.object({
        id: z.string(),
        direction: z.enum(directions),
        token: z.string(),
        chain: z.string(),
        amount: decimalAmount,
        mchid: z.string().describe('The other merchant'),
        name: z.string().describe('Masked'),
        note: z.string(),
        created_time: unixSeconds,
      }),
    ),
  },
  'GET /api/v1/account/internal-transfer/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the filtered internal transfers as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: exportQuery(filter),
    data: z.any(),
  },
})
