import { payRefundAgain, releaseRefund } from '../domains/refunds/decide-refund.ts'
import { abnormalRefunds } from '../domains/refunds/store.ts'
import { wireRefund } from '../domains/refunds/tell.ts'
import { person } from './audit.ts'
import { type Command, table, timeText } from './command.ts'
import { reasonOf } from './withdrawal.ts'

export const refundCommands: Command[] = [
  {
    usage: 'refund list',
    help: 'list refunds that wait for you: those that the chain refused, or whose transaction paid nothing',
    async run({ pool }) {
      const rows = await abnormalRefunds(pool)
      if (rows.length === 0) return 'No refunds.'
      return table(
        ['NUMBER', 'MCHID', 'PAYMENT', 'RECEIVES', 'NETWORK', 'TO', 'SINCE', 'REASON'],
        rows.map(row => {
          const { trade_no, receives, token, chain, address, created_time, failure } = wireRefund(row)
          const amount = `${receives} ${token}`
          return [row.id, row.mchid ?? '', trade_no, amount, chain, address, timeText(created_time), failure]
        }),
      )
    },
  },
  {
    usage: 'refund approve <number>',
    help: 'pay an abnormal refund again',
    async run(deps, [id = '']) {
      const { waits } = await payRefundAgain(deps, { id, who: person() })
      return waits
        ? `Your approval of refund ${id} is recorded. A second operator must approve it, too.`
        : `Refund ${id} is queued to be sent.`
    },
  },
  {
    usage: 'refund cancel <number> <reason>',
    help: 'cancel an abnormal refund; its amount is released',
    async run(deps, [id = '', ...words]) {
      await releaseRefund(deps, { id, reason: reasonOf(words) })
      return `Refund ${id} is canceled, and its amount is released.`
    },
  },
]
