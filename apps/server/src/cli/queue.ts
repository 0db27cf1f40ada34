import { pausableQueues } from '@coffer/contract/operator/operations.ts'
import { isText } from '@coffer/contract/validators.ts'
import { resendCallback } from '../domains/callbacks/resend-callback.ts'
import { callbackOwner, givenUp } from '../domains/callbacks/store.ts'
import { type PausableQueue, pauseOf, pauseQueue, resumeQueue } from '../domains/chains/pause-queue.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table, timeText } from './command.ts'

const names = pausableQueues.join('|')

function queueOf(text: string): PausableQueue {
  const queue = pausableQueues.find(each => each === text)
  if (!queue) throw new Refusal('parameter_error', { field: names })
  return queue
}

export const queueCommands: Command[] = [
  {
    usage: `queue pause <${names}> <reason>`,
    help: 'pause a queue: what is under way ends, nothing new begins; deposits are credited in any case',
    async run(deps, [name = '', ...words]) {
      const reason = words.join(' ').trim()
      if (!isText(reason) || reason.length > 200) throw new Refusal('text_needed', { field: 'reason' })
      const queue = queueOf(name)
      await pauseQueue(deps, { queue, reason })
      return `The ${queue} are paused.`
    },
  },
  {
    usage: `queue resume <${names}>`,
    help: 'resume a paused queue',
    async run(deps, [name = '']) {
      const queue = queueOf(name)
      return (await resumeQueue(deps, { queue })) ? `The ${queue} are resumed.` : `The ${queue} are not paused.`
    },
  },
  {
    usage: 'queue list',
    help: 'show which queues are paused, and why',
    async run({ pool }) {
      const rows = await Promise.all(
        pausableQueues.map(async queue => {
          const pause = await pauseOf(pool, queue)
          return [queue, pause ? `paused since ${timeText(pause.since)}: ${pause.reason}` : 'running']
        }),
      )
      return table(['QUEUE', 'STATE'], rows)
    },
  },
  {
    usage: 'callback list',
    help: 'list the newest callbacks that were given up',
    async run({ pool }) {
      const rows = await givenUp(pool)
      if (rows.length === 0) return 'No callback was given up.'
      return table(
        ['ID', 'MCHID', 'EVENT', 'URL', 'ATTEMPTS', 'RESULT', 'SINCE'],
        rows.map(row => [
          row.id,
          row.mchid,
          row.event,
          row.url,
          String(row.attempts),
          row.result,
          timeText(row.created_at),
        ]),
      )
    },
  },
  {
    usage: 'callback resend <id>',
    help: 'send a callback again',
    async run(deps, [id = '']) {
      const found = await callbackOwner(deps.pool, id)
      if (!found) throw new Refusal('callback_not_exist', { field: id })
      await resendCallback(deps, { merchantId: found.merchant_id, id })
      return `Callback ${id} will be sent again.`
    },
  },
]
