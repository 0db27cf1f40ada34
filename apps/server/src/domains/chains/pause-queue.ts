import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { clearSwitch, readAnySwitch, setSwitch } from './store.ts'

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

/** Resumes a queue; does nothing when it is not paused. Returns whether it was. */
export const resumeQueue = async ({ pool }: Deps, { queue }: { queue: PausableQueue }): Promise<boolean> =>
  (await clearSwitch(pool, switches[queue])) > 0

/** Reads why and since when a queue is paused, be it for one chain or asset; undefined while it is not. */
export const pauseOf = (c: Queryable, queue: PausableQueue) => readAnySwitch(c, switches[queue])
