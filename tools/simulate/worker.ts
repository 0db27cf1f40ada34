/**
 * Worker process: runs the seeds it receives one at a time and reports each result. The first message contains the SQL
 * that removes a guard from each seed's database, if any.
 */
import { simulate } from '../../apps/server/src/testing/simulation/simulate.ts'
import type { Answer, Order } from './workers.ts'

process.on('message', async ({ seed, spoil }: Order) => {
  const answer: Answer = await simulate(seed, { spoil }).then(
    ({ transitions }) => ({ seed, fault: null, transitions: [...transitions] }),
    error => ({ seed, fault: String(error.message), stack: String(error.cause?.stack ?? ''), transitions: [] }),
  )
  process.send!(answer)
})
// An error outside of any step, such as an unhandled rejection, ends the process and counts as a failure.
process.on('disconnect', () => process.exit(0))
