import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { formatDecisionObject, formatDecisionQuestion } from '@coffer/contract/operator/names.ts'
import type { OperatorCall } from './call.ts'
import { type Command, formatAge } from './command.ts'

/** What stands under a heading, or that nothing does. */
const section = (title: string, lines: readonly string[], none: string) =>
  [title, ...(lines.length > 0 ? lines : [none]).map(line => `  ${line}`)].join('\n')

/** Why a comparison says nothing of now, although it is not old. */
const but = { old: '', unread: ', but the network is not read', wallet: ', but a wallet of the network is halted' }

const count = (n: number, one: string, many: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`])

async function readStatus(call: OperatorCall) {
  const [accounted, today, { list: wallets }, { queues }, { list: decisions }, { incidents }] = await Promise.all([
    call('GET accounted'),
    call('GET today'),
    call('GET wallets'),
    call('GET queues'),
    call('GET decisions'),
    call('GET chains'),
  ])
  return { accounted, today, wallets, queues, decisions, incidents }
}

function statusText({
  accounted,
  today,
  wallets,
  queues,
  decisions,
  incidents,
}: Awaited<ReturnType<typeof readStatus>>) {
  const { now } = accounted
  const ago = (time: number) => (time === 0 ? 'never' : `${formatAge(Math.max(0, now - time))} ago`)
  const money = [
    ...accounted.missing.map(
      each =>
        `MISSING: ${each.missing} ${each.token} on ${each.chain}, noticed ${ago(each.since)}; withdrawals of it ${each.stopped ? 'are stopped' : 'continue'}` +
        (each.incident && ` (incident show ${each.incident})`),
    ),
    ...accounted.doubted.map(
      each =>
        `IN DOUBT: ${each.amount} ${each.token} on ${each.chain}, since ${ago(each.since)} (incident show ${each.incident})`,
    ),
    ...accounted.unknown.map(
      each => `Unknown: ${each.token} on ${each.chain}, compared ${ago(each.compared_time)}${but[each.why]}`,
    ),
  ]
  const stuck = [
    ...today.chains.map(each => `${each.name}: ${each.why} (chain status)`),
    ...wallets
      .filter(each => each.halted || each.waits)
      .map(
        each =>
          `Wallet of ${each.chain_id}: ${each.halted ? `halted: ${formatStoredReason(each.halted, 'en')}` : `lacks ${each.waits}`} (wallet status)`,
      ),
    ...queues.flatMap(({ queue, pause }) =>
      pause
        ? [`The ${queue} are paused, since ${ago(pause.since)}: ${formatStoredReason(pause.reason, 'en')} (queue list)`]
        : [],
    ),
    ...queues
      .filter(each => each.waiting > 0 && each.oldest_time < now - 3_600)
      .map(each => `${each.waiting} ${each.queue} wait, the oldest since ${ago(each.oldest_time)} (queue list)`),
    ...count(today.dead_letters, 'callback was', 'callbacks were').map(
      text => `${text} given up today (callback list)`,
    ),
  ]
  const waits = [
    ...incidents.map(each => `Incident ${each.id}: ${each.kind} on ${each.chain || '-'}, ${ago(each.created_time)}`),
    ...decisions.map(
      each =>
        `${formatDecisionQuestion(operatorRoutes[each.call].question.en, formatDecisionObject(each, 'en'))}: asked by ${each.who.map(({ email }) => email).join(', ')}`,
    ),
    ...count(today.withdrawals, 'withdrawal', 'withdrawals').map(text => `${text} (withdrawal list)`),
    ...count(today.refunds, 'refund', 'refunds').map(text => `${text} (refund list)`),
    ...count(today.openings, 'merchant applies', 'merchants apply').map(text => `${text} (merchant list waiting)`),
    ...count(today.work_orders, 'work order', 'work orders').map(text => `${text} (work-order list)`),
  ]
  return [
    section('Is money safe?', money, `All money is accounted for, compared ${ago(accounted.compared_time)}.`),
    section('What is stuck?', stuck, 'Nothing.'),
    section('What waits for a person?', waits, 'Nothing.'),
  ].join('\n\n')
}

export const statusCommands: Command[] = [
  {
    usage: 'status',
    help: 'show whether money is safe, what is stuck and what waits for a person',
    async run(call) {
      const data = await readStatus(call)
      return { text: statusText(data), data }
    },
  },
]
