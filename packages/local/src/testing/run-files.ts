import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { used } from './processor-time.ts'

/** Result of test files that ran in one process. */
export interface FilesResult {
  passed: number
  failures: { file: string; test: string; reason: string }[]
  /** Names of the tests that are not part of another one, passed or failed. */
  tests: string[]
  /** Processor time (s) of the process and of those that it started and waited for. */
  processor: number
}

export interface RunOptions {
  /** Added to the environment. */
  env?: Record<string, string>
  /** Runs the tests of each file in an order drawn from this number. */
  seed?: number
  /** Runs only the test of this name. */
  only?: string
}

/** Environment variable that marks the processes of a test file, so that those left behind can be found. */
export const marker = 'COFFER_TEST_FILE'

/** Environment variable with the files that `batch.ts` runs, one a line. */
export const batchFiles = 'COFFER_TEST_BATCH'

const besides = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/**
 * Runs test files (absolute paths) in one new process. It is killed, with its children, and the files fail, when no
 * test has begun or ended for `limit` milliseconds: on a busy machine a file may take any time, but not a test.
 * Standard error is passed on.
 */
export async function runFiles(files: string[], limit: number, options: RunOptions = {}): Promise<FilesResult> {
  const { env = {}, seed, only } = options
  const [single = ''] = files
  const isBatch = files.length > 1
  const program = isBatch ? besides('./batch.ts') : single
  const result: FilesResult = { passed: 0, failures: [], tests: [], processor: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-run-'))
  const mark = `${single}:${process.pid}`
  const events = run({
    files: [program],
    execArgv: ['./processor-time.ts', './untraced.ts'].flatMap(file => ['--import', besides(file)]),
    env: {
      ...process.env,
      ...env,
      [marker]: mark,
      [used]: `${process.pid} ${join(folder, 'processor')}`,
      ...(isBatch && { [batchFiles]: files.join('\n') }),
    },
    ...(seed !== undefined && { randomize: true, randomSeed: seed }),
    ...(only !== undefined && { testNamePatterns: [new RegExp(`^${RegExp.escape(only)}$`)] }),
  })
  const guard = setTimeout(() => {
    const killed = killMarked(`${marker}=${mark}`)
    const reason = `No test began or ended for ${limit / 1_000} s; ${killed} processes were killed.`
    result.failures.push({ file: single, test: 'ends', reason })
  }, limit)
  /** Names of the tests that enclose the current one. In a batch the first is a file. */
  const path: string[] = []
  /** Such as errors after a test has ended, which fail the process. */
  const notes: string[] = []
  const filesWithTests = new Set<string>()
  for await (const { type, data } of events) {
    guard.refresh()
    if (type === 'test:start') {
      path[data.nesting] = data.name
      const depth = isBatch ? 1 : 0
      if (data.nesting >= depth) filesWithTests.add(isBatch ? (path[0] ?? '') : single)
      if (data.nesting === depth) result.tests.push(data.name)
    }
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      const { error } = data.details
      const isProcess = data.name === program
      const [file, ...names] = isBatch
        ? [...path.slice(0, data.nesting), data.name]
        : [single, ...path.slice(0, data.nesting), data.name]
      result.failures.push({
        file: isProcess ? files.join(', ') : (file ?? single),
        test: isProcess || names.length === 0 ? 'whole file' : names.join(' > '),
        reason: [inspect(error.cause ?? error, { depth: 6 }), ...(isProcess ? notes : [])].join('\n'),
      })
    }
    if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) notes.push(data.message)
    if (type === 'test:stderr') process.stderr.write(data.message)
    if (type === 'test:summary' && data.file === undefined) {
      result.passed = data.counts.passed
      if (data.counts.tests > data.counts.passed && result.failures.length === 0)
        result.failures.push({ file: files.join(', '), test: 'whole file', reason: 'It failed as a whole.' })
    }
  }
  clearTimeout(guard)
  for (const file of files) {
    if (filesWithTests.has(file) || result.failures.length > 0) continue
    result.failures.push({ file, test: 'whole file', reason: 'It has no tests.' })
  }
  result.processor = processorIn(join(folder, 'processor'))
  rmSync(folder, { recursive: true, force: true })
  return result
}

function processorIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    // It was killed.
    return 0
  }
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
