/**
 * Lives the seeds it is sent, one after the other, and answers with what became of each. The first message names the SQL
 * that spoils each seed's database, if a guard that lives there is removed.
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
// A fault outside of any step, such as a promise that nobody waits for, is a fault as well: it ends the process.
process.on('disconnect', () => process.exit(0))
