import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '@coffer/local/problem.ts'
import { databaseProblem, isConnectionLost, isOverload } from './database-problem.ts'

/**
 * Runs `work`, again and again for this time (ms) while the database cannot be reached, and prints why when the reason
 * changes. Throws the last error, and at once one that waiting does not mend, such as a wrong password.
 */
export async function awaitDatabase<T>(
  work: () => Promise<T>,
  patienceMs: number,
  print: (line: string) => void = line => process.stderr.write(`coffer: ${line}\n`),
  pauseMs = 1_000,
): Promise<T> {
  const end = performance.now() + patienceMs
  for (let printed = ''; ; ) {
    try {
      return await work()
    } catch (error) {
      const left = end - performance.now()
      if (left <= 0 || !mayCome(error)) throw error
      const { message } = databaseProblem(error) as Error
      if (message !== printed) print(`${message} Trying again for ${Math.ceil(left / 1_000)} s.`)
      printed = message
      await sleep(pauseMs)
    }
  }
}

/** Whether the database may answer later. Its name may not be known yet either. */
const mayCome = (error: unknown) => isConnectionLost(error) || isOverload(error) || errorCode(error) === 'ENOTFOUND'
