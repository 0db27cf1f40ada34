import { nameOf, workOrderStatus } from '@coffer/contract/codes.ts'
import { answerWorkOrder, closeWorkOrder, reopenForOperator } from '../domains/work-orders/change-order.ts'
import { listAnyWorkOrders, messagesOf, readAnyWorkOrder } from '../domains/work-orders/store.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table, timeText } from './command.ts'

const { in_progress, answered, closed } = workOrderStatus
/** States listed by `order list <group>`. */
const groups: Record<string, number | undefined> = { open: in_progress, answered, closed, all: undefined }
const stateName = (status: number) => nameOf(workOrderStatus, status)?.replace('_', ' ') ?? ''

export const orderCommands: Command[] = [
  {
    usage: 'order list [open|answered|closed|all] [text]',
    help: 'list work orders, those that wait longest first; those with a text in them or of a merchant',
    async run(deps, [group = 'open', text]) {
      if (!Object.hasOwn(groups, group)) throw new Refusal('parameter_error', { field: group })
      const { rows } = await listAnyWorkOrders(deps.pool, { status: groups[group], text }, { limit: 200, offset: 0 })
      if (rows.length === 0) return 'No work orders.'
      return table(
        ['NUMBER', 'STATUS', 'TYPE', 'MCHID', 'THEME', 'SINCE'],
        rows.map(row => [row.number, stateName(row.status), row.type, row.mchid, row.theme, timeText(row.updated_at)]),
      )
    },
  },
  {
    usage: 'order show <number>',
    help: 'show a work order with its messages',
    async run(deps, [number = '']) {
      const order = await readAnyWorkOrder(deps.pool, number)
      if (!order) throw new Refusal('work_order_not_exist', { field: number })
      const messages = await messagesOf(deps.pool, order.merchant_id, number)
      const about = order.about_kind ? `, about ${order.about_kind} ${order.about_id}` : ''
      // What merchants write is indented, so that it cannot look like another message.
      const indented = (text: string) => text.replace(/^/gm, '    ')
      return [
        `${number} (${stateName(order.status)}) of ${order.mchid} (${order.email}): ${order.type}${about}`,
        indented(order.theme),
        ...messages.map(
          each =>
            `${timeText(each.created_at)} ${each.operator === null ? 'merchant' : `operator ${each.operator}`}:\n${indented(each.text)}` +
            each.pictures.map(url => `\n    picture ${url}`).join(''),
        ),
      ].join('\n\n')
    },
  },
  {
    usage: 'order answer <number> <text>',
    help: 'answer a work order; the merchant is told and mailed',
    async run(deps, [number = '', ...words]) {
      await answerWorkOrder(deps, { number, text: words.join(' '), operator: 'command line' })
      return `${number} is answered.`
    },
  },
  {
    usage: 'order close <number>',
    help: 'close a work order; the merchant can reopen it for 7 days',
    async run(deps, [number = '']) {
      await closeWorkOrder(deps, { number })
      return `${number} is closed.`
    },
  },
  {
    usage: 'order reopen <number>',
    help: 'reopen a closed work order; the merchant is told',
    async run(deps, [number = '']) {
      await reopenForOperator(deps, { number })
      return `${number} is open.`
    },
  },
]
