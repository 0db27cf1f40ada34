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
 * The fund flow as a journal of hledger (https://hledger.org/hledger.html#journal): a balanced transaction per posting, oldest first,
 * and once a day the price of each token. Each call makes a file of its own.
 */
export function journalFile<Row, Names>(present: (row: Row, about: Names) => PresentedFlow): TextFile<Row, Names> {
  const priced = new Set<string>()
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
      let text = ''
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
      for (const [name, content] of tags) if (content?.trim()) text += `    ; ${name}: ${plain(content)}\n`
      text += `    ${account(flow.account)}  ${isIn ? '' : '-'}${flow.amount} ${token}\n`
      return `${text}    ${other}  ${isIn ? '-' : ''}${flow.amount} ${token}\n`
    },
  }
}

/** Text that ends neither a name nor a tag: no line breaks, comments, commas, colons or double spaces. */
const plain = (text: string) =>
  // Most are ids, hashes and addresses.
  /^\w+$/.test(text)
    ? text
    : text
        .replace(/[^\p{L}\p{N} ._/()-]+/gu, ' ')
        .replace(/ +/g, ' ')
        .trim()

/** A commodity's name, in quotes unless it has letters only. */
const commodity = (name: string) => (/^\p{L}+$/u.test(name) ? name : `"${name.replace(/["\r\n;]/g, '')}"`)
