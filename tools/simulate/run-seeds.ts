import { paymentTransitions } from '../../packages/core/src/payments/transitions.ts'
import { type Answer, limitMs, Worker } from './workers.ts'

/** Runs seeds in parallel processes. Prints each failure with its replay command. Returns the exit code. */
export async function runSeeds(first: number, count: number, workers: number): Promise<number> {
  const started = Date.now()
  const seen = new Set<string>()
  let next = first
  let clean = 0
  const faults: Answer[] = []
  const work = async () => {
    let worker = new Worker()
    while (next < first + count) {
      const answer = await worker.live(next++, limitMs)
      for (const each of answer.transitions) seen.add(each)
      if (answer.fault === null) clean++
      else {
        faults.push(answer)
        console.log(`FAIL ${answer.fault}\n${answer.stack ?? ''}\nReplay: npm run simulate -- --seed ${answer.seed}\n`)
        worker.stop()
        worker = new Worker()
      }
      if ((clean + faults.length) % 100 === 0) console.log(`${clean + faults.length} seeds, ${faults.length} failed`)
    }
    worker.stop()
  }
  await Promise.all(Array.from({ length: Math.min(workers, count) }, work))
  const unseen = legal().filter(each => !seen.has(each))
  console.log(`Transitions of payments that no seed saw: ${unseen.join('; ') || 'none'}`)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${clean} of ${count} seeds clean, from ${first} on (${seconds} s)`)
  return faults.length === 0 ? 0 : 1
}

/** Returns every legal transition, except those of refunds, which no command triggers. */
function legal(): string[] {
  return Object.entries(paymentTransitions)
    .filter(([event]) => !event.startsWith('refund'))
    .flatMap(([event, table]) =>
      Object.entries(table).flatMap(([from, all]) => all.map(to => `${event} ${from} ${to}`)),
    )
    .filter(each => !/ refund(ing|ed)\b/.test(each))
}
