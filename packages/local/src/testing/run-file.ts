import { readdirSync, readFileSync } from 'node:fs'
import { run } from 'node:test'
import { inspect } from 'node:util'

/** What became of one file of tests: counts, and what is to be read of each that failed. */
export interface FileResult {
  passed: number
  failures: { test: string; reason: string }[]
}

/** Names the file a process was started for, so that what it leaves behind can be found; children inherit it. */
export const marker = 'COFFER_TEST_FILE'

/**
 * Runs one file of tests in a process of its own. A test that takes `limit` milliseconds fails; when the process or
 * anything it started still holds on a little later, all of them are killed, so that no file can hold up a whole run.
 * Takes the absolute path, the limit, and variables on top of the environment; what it prints as errors is passed on.
 */
export async function runFile(file: string, limit: number, env: Record<string, string> = {}): Promise<FileResult> {
  const result: FileResult = { passed: 0, failures: [] }
  const mark = `${file}:${process.pid}`
  const events = run({ files: [file], timeout: limit, env: { ...process.env, ...env, [marker]: mark } })
  const guard = setTimeout(() => {
    const killed = killMarked(`${marker}=${mark}`)
    result.failures.push({ test: 'ends', reason: `It did not end by itself; ${killed} processes were killed.` })
  }, limit + 15_000)
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      const { error } = data.details
      result.failures.push({ test: data.name, reason: inspect(error.cause ?? error, { depth: 6 }) })
    }
    if (type === 'test:stderr') process.stderr.write(data.message)
    if (type === 'test:summary' && data.file === undefined) {
      result.passed = data.counts.passed
      // A file that fails as a whole, by its exit code for one, may have named no test.
      const unnamed = data.counts.tests - data.counts.passed - result.failures.length
      for (let i = 0; i < unnamed; i++) result.failures.push({ test: 'whole file', reason: 'It failed as a whole.' })
    }
  }
  clearTimeout(guard)
  if (result.passed + result.failures.length === 0) result.failures.push({ test: 'whole file', reason: 'No tests.' })
  return result
}

/** Kills every process with this variable in its environment (it must be readable: ours, or anybody's for root). */
function killMarked(mark: string): number {
  let killed = 0
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) continue
      process.kill(Number(pid), 'SIGKILL')
      killed++
    } catch {
      // Gone meanwhile, or somebody else's.
    }
  }
  return killed
}
