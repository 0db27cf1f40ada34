import { limits } from '@coffer/contract'
import { applicationStatus, callbackStatus, codeNameOf, merchantStatus, paymentStatus } from '@coffer/contract/codes.ts'
import { formatMerchantTerm } from '@coffer/contract/labels/merchant-terms.ts'
import { paymentLabels } from '@coffer/contract/labels.ts'
import {
  type MerchantTermName,
  mapMerchantTerms,
  merchantTermNames,
  parseMerchantTerm,
} from '@coffer/contract/merchants/terms.ts'
import type { OperatorBody, OperatorData } from '@coffer/contract/operator/index.ts'
import { pickMerchantTerms } from '@coffer/core'
import { Refusal } from '../kit/refusal.ts'
import { createApiCommand, describePendingApproval } from './act.ts'
import type { OperatorCall } from './call.ts'
import { type Command, formatFields, formatTable } from './command.ts'
import { declaredCommands } from './declared.ts'
import { describeObject } from './objects.ts'

type Merchant = OperatorData<'GET /api/operator/v1/merchants'>['list'][number]

const { primary_audit, advanced_audit, approved, failed_audit } = merchantStatus
/** Statuses listed by `merchant list <group>`; without one: all. */
const groups: Record<string, number[]> = {
  all: [],
  waiting: [primary_audit, advanced_audit],
  approved: [approved],
  refused: [failed_audit],
}

/** Reads every page of the merchants with a status. */
async function allMerchants(call: OperatorCall, status?: number): Promise<Merchant[]> {
  const rows: Merchant[] = []
  for (let current = 1; ; current++) {
    const page = { current: String(current), pageSize: String(limits.pageSizeMax) }
    const query = { ...page, ...(status !== undefined && { status: String(status) }) }
    const { list, total } = await call('GET merchants', { query })
    rows.push(...list)
    if (list.length === 0 || rows.length >= total) return rows
  }
}

/** Says what has become of a merchant. */
const is = (what: string) => async (id: string, _: unknown, call: OperatorCall) =>
  `${await named(call, id)} is ${what}.`
const read = (call: OperatorCall, id: string) => call('GET merchants/:id', { params: { id } })
const named = (call: OperatorCall, id: string) => describeObject(call, 'merchant', id)

const review = (decision: string, usage: string, what: string, help: string) =>
  createApiCommand(`merchant ${usage}`, 'POST merchants/:id/review', is(what), {
    help,
    body: (...words) => ({ decision, reason: words.join(' ') }),
  })

export const merchantCommands: Command[] = [
  {
    usage: 'merchant list [waiting|approved|refused]',
    help: 'list merchants, newest first',
    async run(call, [group = 'all']) {
      if (!Object.hasOwn(groups, group)) throw new Refusal('parameter_error', { field: group })
      const statuses = groups[group]!.length > 0 ? groups[group]! : [undefined]
      const found = (await Promise.all(statuses.map(status => allMerchants(call, status)))).flat()
      const rows = found.sort((a, b) => b.created_time - a.created_time)
      const text = formatTable(rows, 'No merchants.', ['mchid', 'status', 'email', 'name', 'created_time'], {
        status: row => (row.frozen ? 'frozen' : (codeNameOf(merchantStatus, row.status)?.replace('_', ' ') ?? '')),
      })
      return { text, data: { list: rows } }
    },
  },
  {
    usage: 'merchant show <mchid>',
    help: 'show a merchant with its balances, fees, limits and newest log entries',
    async run(call, [id = '']) {
      const merchant = await read(call, id)
      const { standard } = merchant
      const terms = mapMerchantTerms(name => () => formatMerchantTerm('en', name, merchant[name], standard[name]))
      return [
        formatFields(
          merchant,
          [
            ...(['mchid', 'email', 'name', 'status', 'risk_level', 'frozen', 'held', 'authenticator'] as const),
            ...(['created_time', 'website', 'phone', 'country', 'audit_reason'] as const),
            ...merchantTermNames,
          ],
          {
            status: row => codeNameOf(merchantStatus, row.status)?.replace('_', ' ') ?? '',
            ...terms,
          },
        ),
        formatTable(merchant.balances, 'No balances.', ['token', 'chain', 'available', 'held']),
        formatTable(merchant.log.slice(0, 10), 'No log entries.', ['created_time', 'type', 'outcome', 'reason', 'ip']),
      ].join('\n\n')
    },
  },
  review('approve', 'approve <mchid>', 'approved', 'grant merchant permission'),
  review('advance', 'advance <mchid>', 'in the advanced audit', 'move the merchant to the advanced audit'),
  review('refuse', 'refuse <mchid> <reason>', 'refused', 'refuse merchant permission'),
  ...declaredCommands('merchant'),
  {
    usage: 'merchant limits <mchid> <name=value> [name=value] <reason>',
    help: 'set limits of withdrawals: withdraw_single_max, withdraw_day_max, withdraw_approval_above, in USDT or default',
    async run(call, [id = '', ...words]) {
      const given = words.filter(isLimit).map(word => {
        const [name = '', value = ''] = word.split('=')
        return [name, termOf(name as MerchantTermName, value)]
      })
      const reason = words.filter(word => !isLimit(word)).join(' ')
      const answer = await setTerms(call, id, { ...Object.fromEntries(given), reason })
      return describePendingApproval(answer) ?? `${await named(call, id)} is under these limits now.`
    },
  },
  {
    usage: 'merchant fee <mchid> <payments> [<withdrawals>] <reason>',
    help: "set a merchant's fees, such as 0.45%, or default",
    async run(call, [id = '', payments = '', ...words]) {
      const second = words.length > 1 && isFee(words[0]!) ? words.shift() : undefined
      const withdrawals = second ?? (payments === 'default' ? payments : undefined)
      const withdraw = withdrawals === undefined ? {} : { withdraw_fee_bps: feeOf(withdrawals) }
      await setTerms(call, id, { fee_bps: feeOf(payments), ...withdraw, reason: words.join(' ') })
      return `The fees of ${await named(call, id)} are set.`
    },
  },
  removal(
    'remove-authenticator',
    'ask for the removal of a lost authenticator; verify who asks first',
    'to lose its authenticator, once another person confirms',
  ),
  removal(
    'confirm-removal',
    'confirm the removal, as another person; it happens 24 hours later',
    'without an authenticator in 24 hours',
  ),
  {
    usage: 'application list <mchid>',
    help: 'list the applications of a merchant, newest first',
    run: async (call, [mchid = '']) =>
      formatTable(
        (await call('GET applications', { query: { mchid } })).list,
        'No applications.',
        ['appid', 'name', 'status', 'secret_key', 'notify_url', 'payouts_allowed', 'created_time'],
        { status: row => codeNameOf(applicationStatus, row.status) ?? '' },
      ),
  },
  {
    usage: 'payment show <number|txid|address>',
    help: 'show the payment of a number, a transaction or a deposit address, or list them if there are several',
    async run(call, [text = '']) {
      const { list } = await call('GET payments', { query: { text } })
      const [only] = list
      if (!only) throw new Refusal('transaction_not_exist', { field: text })
      return list.length === 1
        ? showPayment(await call('GET payments/:id', { params: { id: only.trade_no } }))
        : listOf(list)
    },
  },
  {
    usage: 'callback list [<payment>]',
    help: 'list the callbacks of a payment, or the newest that were given up',
    async run(call, [trade_no]) {
      const { list } = await call('GET callbacks', { query: trade_no === undefined ? {} : { trade_no } })
      const none = trade_no === undefined ? 'No callback was given up.' : 'No callbacks.'
      const columns = ['id', 'mchid', 'title', 'event', 'status', 'url', 'attempts', 'result', 'created_time'] as const
      return formatTable(list, none, columns, { ...callbackTexts, ...ofPayment })
    },
  },
  ...declaredCommands('callback'),
]

function removal(verb: 'remove-authenticator' | 'confirm-removal', help: string, what: string): Command {
  return {
    usage: `merchant ${verb} <mchid>`,
    help,
    async run(call, [id = '']) {
      const isRequested = (await read(call, id)).removal_asked_by.length > 0
      if (isRequested && verb === 'remove-authenticator') throw new Refusal('removal_under_way')
      if (!isRequested && verb === 'confirm-removal') throw new Refusal('removal_not_exist')
      await call('POST merchants/:id/remove-authenticator', { params: { id }, body: { reason: verb } })
      return `${await named(call, id)} is ${what}.`
    },
  }
}

type Terms = OperatorBody<'PUT /api/operator/v1/merchants/:id/terms'>

/** Whether a word sets a limit: all others are the reason. */
const isLimit = (word: string) => word.includes('=')

/** Sets some of a merchant's fees and limits; the call takes them all. */
async function setTerms(
  call: OperatorCall,
  id: string,
  changes: Partial<Terms> & Pick<Terms, 'reason'>,
): Promise<{ waits: boolean }> {
  const terms = pickMerchantTerms(await read(call, id))
  return call('PUT merchants/:id/terms', { params: { id }, body: { ...terms, ...changes } })
}

/** "default" stands for the value of the installation. */
const isFee = (word: string) => /^(default|[\d.]+%)$/.test(word)
/** A percentage needs its sign: earlier versions took thousandths. */
function feeOf(text: string): number | null {
  const points = isFee(text) ? termOf('fee_bps', text) : Number.NaN
  if (Number.isNaN(points)) throw new Refusal('parameter_error', { field: text, detail: feeForm })
  return points
}
const feeForm = { en: 'a percentage such as 0.45%, or default', 'zh-CN': '百分比，例如 0.45%，或 default' }
const termOf = (name: MerchantTermName, text: string): number | null =>
  text === 'default' ? null : (parseMerchantTerm(name, text, Number) ?? Number.NaN)

const callbackTexts = {
  status: ({ status }: { status: number }) => codeNameOf(callbackStatus, status)?.replace('_', ' ') ?? '',
}
/** What people call the payment of a callback. */
const ofPayment = {
  title: (row: Record<'title' | 'out_trade_no' | 'trade_no', string>) => row.title || row.out_trade_no || row.trade_no,
}
const paymentTexts = {
  status: ({ status }: { status: number }) => paymentLabels.en[codeNameOf(paymentStatus, status)!],
}
const inUsdt = { usdt_amount: ({ usdt_amount }: { usdt_amount: string }) => `${usdt_amount} USDT` }
type Payment = OperatorData<'GET /api/operator/v1/payments/:id'>
/** An amount of the token of a payment; without one, nothing was chosen yet. */
const inToken = (name: 'amount' | 'paid_amount' | 'fees') => (row: Payment) =>
  row.token === '' ? '-' : `${row[name]} ${row.token}`
const amountTexts = {
  ...inUsdt,
  amount: inToken('amount'),
  paid_amount: inToken('paid_amount'),
  fees: inToken('fees'),
}

const listOf = (list: OperatorData<'GET /api/operator/v1/payments'>['list']) =>
  formatTable(list, '', ['trade_no', 'mchid', 'out_trade_no', 'status', 'usdt_amount', 'created_time'], {
    ...paymentTexts,
    ...inUsdt,
  })

const showPayment = (payment: Payment): string =>
  [
    formatFields(
      payment,
      [
        ...([
          'trade_no',
          'out_trade_no',
          'mchid',
          'appid',
          'apply_name',
          'status',
          'exception',
          'usdt_amount',
        ] as const),
        ...(['amount', 'paid_amount', 'fees', 'token', 'chain', 'address', 'created_time', 'expire_time'] as const),
        ...(['paid_time', 'subject'] as const),
      ],
      { ...paymentTexts, ...amountTexts },
    ),
    formatTable(payment.chain_confirmation_information, 'No deposits.', [
      ...(['seen_time', 'txid', 'amount', 'token', 'chain', 'state', 'late', 'confirmations'] as const),
      'required_confirmations',
    ]),
    formatTable(payment.history, 'No history.', ['time', 'event', 'status', 'reason'], paymentTexts),
    formatTable(payment.callbacks, 'No callbacks.', ['time', 'id', 'event', 'status', 'attempts'], callbackTexts),
  ].join('\n\n')
