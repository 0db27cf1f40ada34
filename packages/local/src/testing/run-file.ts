import { readdirSync, readFileSync } from 'node:fs'
import { run } from 'node:test'
import { inspect } from 'node:util'

/** Result of one test file. */
export interface FileResult {
  passed: number
  failures: { test: string; reason: string }[]
}

/** Environment variable that marks the processes of a test file, so that those left behind can be found. */
export const marker = 'COFFER_TEST_FILE'

/**
 * Runs one test file (an absolute path) in its own process, with `env` added to the environment. A test that takes longer
 * than `limit` milliseconds fails. If the process or one of its children is still running 15 s later, all of them are
 * killed. Standard error is passed on.
 */
export async function runFile(file: string, limit: number, env: Record<string, string> = {}): Promise<FileResult> {
  const result: FileResult = { passed: 0, failures: [] }
  const mark = `${file}:${process.pid}`
  const events = run({ files: [file], timeout: limit, env: { ...process.env, ...env, [marker]: mark } })
  const guard = setTimeout(() => {
    const killed = killMarked(`${marker}=${mark}`)
    result.failures.push({ test: 'ends', reason: `It did not exit; ${killed} processes were killed.` })
  }, limit + 15_000)
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      const { error } = data.details
      result.failures.push({ test: data.name, reason: inspect(error.cause ?? error, { depth: 6 }) })
    }
    if (type === 'test:stderr') process.stderr.write(data.message)
    if (type === 'test:summary' && data.file === undefined) {
      result.passed = data.counts.passed
      // A file that fails as a whole, such as by its exit code, may not have reported a test.
      const unnamed = data.counts.tests - data.counts.passed - result.failures.length
      for (let i = 0; i < unnamed; i++)
        result.failures.push({ test: 'whole file', reason: 'The file failed as a whole.' })
    }
  }
  clearTimeout(guard)
  if (result.passed + result.failures.length === 0)
    result.failures.push({ test: 'whole file', reason: 'It has no tests.' })
  return result
}

/** Kills every process with this variable in its environment, as far as this user can read it. Returns their number. */
function killMarked(mark: string): number {
  let killed = 0
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) continue
      process.kill(Number(pid), 'SIGKILL')
      killed++
    } catch {
      // It has exited meanwhile, or belongs to another user.
    }
  }
  return killed
}
