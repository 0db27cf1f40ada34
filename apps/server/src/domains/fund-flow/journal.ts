import type { FundFlowType } from '@coffer/contract'
import { flowType } from '@coffer/contract/labels/fund-flow-en.ts'
import type { TextFile } from '../../kit/export/export-rows.ts'
import type { PresentedFlow } from './present.ts'

/** The account on the other side of what comes from or goes outside. */
const others: Record<FundFlowType, string> = {
  payment: 'income:payments',
  recharge: 'equity:recharges',
  refund: 'income:refunds',
  withdrawal: 'equity:withdrawals',
  transfer: 'equity:transfers',
  fee: 'expenses:fees',
  gas: 'expenses:gas',
  adjustment: 'equity:adjustments',
}

/**
 * The fund flow as a journal of hledger (https://hledger.org/hledger.html#journal): a balanced transaction per posting,
 * oldest first, and once a day the price of each token. Accounts and commodities are declared before their first use,
 * as `hledger check --strict` requires. Each call makes a file of its own.
 */
export function makeHledgerJournal<Row, Names>(
  present: (row: Row, about: Names) => PresentedFlow,
): TextFile<Row, Names> {
  const priced = new Set<string>()
  const declared = new Set<string>()
  const declare = (directive: string) => {
    if (declared.has(directive)) return ''
    declared.add(directive)
    return `${directive}\n`
  }
  return {
    extension: 'journal',
    type: 'text/plain; charset=utf-8',
    head: ({ zone }) => `; Fund flow of Coffer. Dates are in the time zone ${zone}.\ndecimal-mark .\n`,
    row(row, about) {
      const flow = present(row, about)
      const { value, chain } = flow
      const [date, clock] = about.wall(flow.created_time).split(' ') as [string, string]
      const token = commodity(flow.token)
      const account = (part: string) => `assets:coffer:${part}:${plain(chain)}`
      const other =
        flow.payment_type === 'reserve'
          ? account(flow.account === 'available' ? 'held' : 'available')
          : others[flow.type]
      const isIn = flow.direction === 'in'
      const mine = account(flow.account)
      const directives = [`account ${mine}`, `account ${other}`, `commodity ${token}`]
      if (value) directives.push(`commodity ${commodity(value.fiat)}`)
      let text = directives.map(declare).join('')
      if (text !== '') text = `\n${text}`
      if (value && !priced.has(`${date} ${token}`)) {
        priced.add(`${date} ${token}`)
        text += `\nP ${date} ${token} ${value.rate} ${commodity(value.fiat)}\n`
      }
      const tags = [
        ['time', clock],
        ['cause', `${flow.cause.kind} ${flow.cause.id}`],
        ['order', flow.trade_no],
        ['txid', flow.txid],
        ...(value ? [['value', `${value.amount} ${value.fiat} at ${value.rate} (${value.source})`]] : []),
      ]
      text += `\n${date} * (${flow.id}) ${flowType[flow.type]}\n`
      for (const [name, content] of tags) if (content?.trim()) text += `    ; ${name}: ${tagValue(content)}\n`
      text += `    ${mine}  ${isIn ? '' : '-'}${flow.amount} ${token}\n`
      return `${text}    ${other}  ${isIn ? '-' : ''}${flow.amount} ${token}\n`
    },
  }
}

/** Part of an account's name: no line breaks, comments, colons or double spaces. */
const plain = (text: string) => without(text, /[^\p{L}\p{N} ._/()-]+/gu)

/** Value of a tag, which ends at a comma: colons may stand in it. */
const tagValue = (text: string) => without(text, /[^\p{L}\p{N} ._/():+-]+/gu)

const without = (text: string, characters: RegExp) =>
  // Most are ids, hashes and addresses.
  /^\w+$/.test(text) ? text : text.replace(characters, ' ').replace(/ +/g, ' ').trim()

/** A commodity's name, in quotes unless it has letters only. */
const commodity = (name: string) => (/^\p{L}+$/u.test(name) ? name : `"${name.replace(/["\r\n;]/g, '')}"`)
