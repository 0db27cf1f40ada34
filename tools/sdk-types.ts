import {
  errors,
  languages,
  type PaymentState,
  paymentLabels,
  paymentStatus,
  routes,
  type WithdrawalState,
  withdrawalLabels,
  withdrawalStatus,
} from '@coffer/contract'
import {
  depositWebhook,
  paymentWebhook,
  refundWebhook,
  testWebhook,
  withdrawalWebhook,
} from '@coffer/contract/callbacks/webhooks.ts'
import { words } from '@coffer/server/http/docs/en/words.ts'
import { listOperationErrors, operations } from '@coffer/server/http/docs/operations.ts'
import { z } from 'zod'

const path = 'packages/sdk/src/generated/types.ts'
const header = `// Generated from packages/contract by tools/sdk-types.ts; run "node tools/generated.ts" to write it again.`

const create = routes['POST /api/v1/pay/orders']
const orders = routes['GET /api/v1/pay/orders']
const withdrawals = routes['GET /api/v1/pay/withdrawals']
const refunds = routes['GET /api/v1/pay/refunds']
const callbacks = routes['GET /api/v1/pay/callbacks'].data
const balances = routes['GET /api/v1/pay/balances'].data
const order = create.data.shape
const id = z.string().describe('The same at every attempt: store it, and ignore repeated events')

/** Types of the merchant's requests and of the server's answers. Named types are referenced by name. */
const sent = {
  Language: z.enum(Object.values(languages).map(({ tag }) => tag)).describe('Language of error texts'),
  NewOrder: create.body,
  OrderFilter: orders.query.omit({ current: true, pageSize: true, cursor: true }),
  Page: orders.query.pick({ current: true, pageSize: true, cursor: true }),
  PaidMark: routes['POST /api/v1/pay/orders/:trade_no/mark-paid'].body,
  NewWithdrawal: routes['POST /api/v1/pay/withdrawals'].body,
  WithdrawalFilter: withdrawals.query,
  NewRefund: routes['POST /api/v1/pay/refunds'].body,
  NewRefundLink: routes['POST /api/v1/pay/refund-links'].body,
  RefundFilter: refunds.query,
  NewAddress: routes['POST /api/v1/pay/addresses'].body,
  AddressFilter: routes['GET /api/v1/pay/addresses'].query,
  CallbackFilter: routes['GET /api/v1/pay/callbacks'].query,
  NewPaymentLink: routes['POST /api/v1/pay/links'].body,
  PaymentLinkFilter: routes['GET /api/v1/pay/links'].query,
  NewWebhookEndpoint: routes['POST /api/v1/pay/webhook-endpoints'].body,
  WebhookEndpointChanges: routes['POST /api/v1/pay/webhook-endpoints/:id'].body,
  ApplicationChanges: routes['POST /api/v1/pay/application'].body,
  NewMemberInvitation: routes['POST /api/v1/pay/members'].body,
  StatisticsRange: routes['GET /api/v1/pay/statistics'].query,
  DepositFilter: routes['GET /api/v1/pay/deposits'].query,
}
const received = {
  PaymentException: order.exception,
  Deposit: order.deposits.element,
  Order: create.data,
  OrderList: orders.data,
  Withdrawal: withdrawals.data.shape.list.element,
  WithdrawalList: withdrawals.data,
  Refund: refunds.data.shape.list.element,
  RefundLink: routes['POST /api/v1/pay/refund-links'].data,
  RefundList: refunds.data,
  Currency: routes['GET /api/v1/pay/currencies'].data.shape.list.element,
  Balance: balances.shape.list.element,
  Balances: balances,
  Address: routes['POST /api/v1/pay/addresses'].data,
  AddressList: routes['GET /api/v1/pay/addresses'].data,
  AddressDeposit: routes['GET /api/v1/pay/deposits'].data.shape.list.element,
  AddressDepositList: routes['GET /api/v1/pay/deposits'].data,
  Callback: callbacks.shape.list.element,
  CallbackList: callbacks,
  CallbackDetail: routes['GET /api/v1/pay/callbacks/:id'].data,
  PaymentLink: routes['POST /api/v1/pay/links'].data,
  PaymentLinkList: routes['GET /api/v1/pay/links'].data,
  WebhookEndpoint: routes['POST /api/v1/pay/webhook-endpoints/:id'].data,
  WebhookEndpointWithSecret: routes['POST /api/v1/pay/webhook-endpoints'].data,
  Member: routes['GET /api/v1/pay/members'].data.shape.list.element,
  MemberInvitation: routes['POST /api/v1/pay/members'].data,
  Members: routes['GET /api/v1/pay/members'].data,
  Application: routes['GET /api/v1/pay/application'].data,
  ApplicationStatistics: routes['GET /api/v1/pay/statistics'].data,
  DepositEventType: depositWebhook.shape.type,
  PaymentEventType: paymentWebhook.shape.type,
  WithdrawalEventType: withdrawalWebhook.shape.type,
  RefundEventType: refundWebhook.shape.type,
  WebhookEvent: z
    .union([
      z.object({ id, ...paymentWebhook.shape }),
      z.object({ id, ...withdrawalWebhook.shape }),
      z.object({ id, ...refundWebhook.shape }),
      z.object({ id, ...depositWebhook.shape }),
      z.object({ id, ...testWebhook.shape }),
    ])
    .describe('A verified callback'),
}

interface Json {
  $ref?: string
  description?: string
  format?: string
  type?: string | string[]
  const?: string
  enum?: string[]
  anyOf?: Json[]
  items?: Json
  additionalProperties?: Json | boolean
  properties?: Record<string, Json>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** Generates the types and codes of the merchant's client, so that its package has no dependency on the contract. */
export async function generateSdkTypes(): Promise<{ path: string; content: string }[]> {
  const calls = Object.keys(operations) as (keyof typeof operations)[]
  const refusals = new Set(calls.filter(key => routes[key].auth === 'key').flatMap(listOperationErrors))
  const codes = Object.entries(errors).filter(([name]) => refusals.has(name as keyof typeof errors))
  const parts = [
    header,
    ...declarations(sent, 'input'),
    ...declarations(received, 'output'),
    table(
      'paymentStatus',
      'Codes of `status`',
      Object.entries(paymentStatus).map(([name, code]) => ({
        name,
        code,
        text: paymentLabels.en[name as PaymentState],
      })),
    ),
    table(
      'payoutStatus',
      'Codes of `status` of withdrawals and refunds',
      Object.entries(withdrawalStatus).map(([name, code]) => ({
        name,
        code,
        text: withdrawalLabels.en[name as WithdrawalState],
      })),
    ),
    table(
      'errorCodes',
      'Codes of `CofferError`',
      codes.map(([name, { code, en }]) => ({ name, code, text: en })),
    ),
  ]
  return [{ path, content: `${parts.join('\n\n')}\n` }]
}

function declarations(schemas: Record<string, z.ZodType>, io: 'input' | 'output'): string[] {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries(schemas)) registry.add(schema, { id: name })
  const made = z.toJSONSchema(registry, { io, uri: name => name }).schemas as Record<string, Json>
  return Object.keys(schemas).map(name => {
    const schema = made[name] ?? {}
    const type = typeOf(schema, '')
    return `${comment(schema, '')}export ${schema.properties ? `interface ${name}` : `type ${name} =`} ${type}`
  })
}

function typeOf(
  { $ref, anyOf, items, properties, required, type, additionalProperties: values, ...json }: Json,
  indent: string,
): string {
  if ($ref) return $ref.split('/').at(-1) ?? ''
  if (json.const !== undefined) return quote(json.const)
  // A newer server may send other codes.
  if (json.enum && type !== 'integer') return json.enum.map(quote).join(' | ')
  if (anyOf) return anyOf.map(each => typeOf(each, indent)).join(' | ')
  if (items) return items.enum || items.anyOf ? `(${typeOf(items, indent)})[]` : `${typeOf(items, indent)}[]`
  if (typeof values === 'object' && !properties) return `Record<string, ${typeOf(values, indent)}>`
  if (!properties) return type === 'integer' ? 'number' : [type].flat().join(' | ')
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const [mark, or] = required?.includes(name) ? ['', ''] : ['?', ' | undefined']
    return `${comment(field, inner)}${inner}${name}${mark}: ${typeOf(field, inner)}${or}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function table(name: string, text: string, rows: { name: string; code: number; text: string }[]): string {
  const lines = rows.map(row => `  /** ${row.text}. */\n  ${row.name}: ${row.code},\n`)
  return `/** ${text}. */\nexport const ${name} = {\n${lines.join('')}} as const`
}

/** The description, with the bounds that matter to callers; very large ones only guard against overflow. */
function comment({ description, format, minimum, maximum, maxLength }: Json, indent: string): string {
  const bounds = [
    maximum !== undefined && maximum <= 100_000 && `${minimum} to ${maximum}`,
    maxLength !== undefined && `At most ${maxLength} characters`,
  ].filter(Boolean)
  const sentences = [description ?? words.formats[format ?? ''], bounds.join(', ')].filter(Boolean)
  return sentences.length === 0 ? '' : `${indent}/** ${sentences.join('. ')}. */\n`
}

const quote = (text: string) => `'${text}'`
