import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Guard, guards } from './guards.ts'
import { HANGS, hook, limitMs, Worker } from './workers.ts'

const root = join(import.meta.dirname, '..', '..')

/** Maximum number of seeds in which the simulation must detect a missing guard. */
const bound = 60

/** Errors caused by an invalid replacement. They do not count as detection. */
const doesNotRun =
  /is not (?:defined|a function)|Unexpected|syntax error|column .* does not exist|data type of parameter|constraint matching|no source was loaded/

const badlyRemoved = 'not removed well: '

type Found = { guard: Guard; seed: number | 'test' | null; fault: string }

/** Removes each guard in turn and searches for a seed that fails. Prints a table; returns the exit code. */
export async function showGuards(workers: number, only: string): Promise<number> {
  const waiting = guards.filter(each => each.name.includes(only))
  const found: Found[] = []
  const work = async () => {
    for (let guard = waiting.shift(); guard; guard = waiting.shift()) {
      const result = await look(guard)
      found.push(result)
      console.log(lineOf(result))
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  const missed = found.filter(each => each.seed === null)
  console.log(`${found.length - missed.length} of ${found.length} guards are noticed when they are missing`)
  return missed.length === 0 && found.length > 0 ? 0 : 1
}

/** Runs the test of a guard without it. */
async function lookAtTest(guard: Guard, test: string): Promise<Found> {
  const args = ['--test-reporter=tap', '--import', hook, join(root, test), guard.name]
  const failed = await promisify(execFile)(process.execPath, args, { timeout: limitMs }).catch(
    error => error as { stdout: string; stderr: string; killed?: boolean },
  )
  const output = failed.stdout + failed.stderr
  if (doesNotRun.test(output)) return { guard, seed: null, fault: `${badlyRemoved}${doesNotRun.exec(output)![0]}` }
  const [, name] = /^not ok \d+ - (.*)$/m.exec(output) ?? []
  if (!name && 'killed' in failed && failed.killed) return { guard, seed: 'test', fault: HANGS }
  return name ? { guard, seed: 'test', fault: name } : { guard, seed: null, fault: `not noticed by ${test}` }
}

async function look(guard: Guard): Promise<Found> {
  if (guard.test) return lookAtTest(guard, guard.test)
  const begin = () => new Worker({ guard: guard.name, spoil: guard.sql ?? [] })
  let worker = begin()
  try {
    for (let seed = 1; seed <= bound; seed++) {
      const { fault } = await worker.live(seed, limitMs)
      if (fault && doesNotRun.test(fault)) return { guard, seed: null, fault: `${badlyRemoved}${fault}` }
      if (fault === null) continue
      if (await isClean(seed)) return { guard, seed, fault }
      console.log(`seed ${seed} fails by itself`)
      worker.stop()
      worker = begin()
    }
    return { guard, seed: null, fault: `not noticed within ${bound} seeds` }
  } finally {
    worker.stop()
  }
}

/** Whether a seed is clean with all guards, so that it is the missing one that it noticed. */
async function isClean(seed: number): Promise<boolean> {
  const worker = new Worker()
  const { fault } = await worker.live(seed, limitMs)
  worker.stop()
  return fault === null
}

const lineOf = ({ guard, seed, fault }: Found) =>
  `| ${guard.name} | ${seed ?? '-'} | ${fault
    .split('\n')[0]!
    .replaceAll('|', '/')
    .replace(/^seed \d+ after /, 'after ')} |`
