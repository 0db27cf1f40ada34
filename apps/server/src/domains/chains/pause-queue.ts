import { pausableQueues } from '@coffer/contract/operator/operations.ts'
import type { Deps } from '../../deps.ts'
import { isCopy } from '../../kit/copy-switch.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { clearSwitch, readQueueStop, setSwitch } from './store.ts'

/** What an operator can pause, with its switch. Deposits are credited in any case. */
const switches = {
  withdrawals: 'withdrawals_stopped',
  callbacks: 'callbacks_paused',
  sweeps: 'sweeps_paused',
} as const
export type PausableQueue = keyof typeof switches

/** Pauses a queue: what is under way ends, nothing new begins. Pausing again keeps the first reason. */
export const pauseQueue = ({ pool, clock }: Deps, { queue, reason }: { queue: PausableQueue; reason: string }) =>
  setSwitch(pool, switches[queue], reason, clock())

/**
 * Resumes a queue, once it is agreed; does nothing when it is not paused. Throws Refusal('operation_failed') on a copy
 * of a database, which is released as a whole.
 */
export const resumeQueue = (
  { pool }: Pick<Deps, 'pool'>,
  { queue, agree }: { queue: PausableQueue; agree?: AgreementCheck },
): Promise<{ waits: boolean; resumed: boolean }> =>
  tx(pool, async c => {
    if (!(await readQueuePause(c, queue))) return { waits: false, resumed: false }
    if (await isCopy(c)) throw new Refusal('operation_failed')
    if ((await agree?.(c)) === 'waits') return { waits: true, resumed: false }
    await clearSwitch(c, switches[queue])
    return { waits: false, resumed: true }
  })

/** Reads why and since when a queue is paused, be it for one chain or asset; undefined while it is not. */
export const readQueuePause = (c: Queryable, queue: PausableQueue) => readQueueStop(c, switches[queue])

/** Reads each queue with its pause, null while it runs. */
export const queuePauses = (c: Queryable) =>
  Promise.all(pausableQueues.map(async queue => ({ queue, pause: (await readQueuePause(c, queue)) ?? null })))
