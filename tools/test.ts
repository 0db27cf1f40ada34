/**
 * `npm test`: types, lint, checks of the code, unit tests, integration tests on the embedded PostgreSQL and some of
 * them on a second server, and browser tests. `node tools/test.ts unit e2e/main` runs only the stages and files whose
 * names contain one of the words, `node tools/test.ts --changed [base]` the tests that a change reaches, with types,
 * lint and checks. Failures are printed in full as they occur; the last line has the totals. CONTRIBUTING.md lists the
 * flags.
 */
import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ownTemporaryFolder } from '@coffer/local/testing/fast-folder.ts'
import { fullVariable } from '@coffer/local/testing/full.ts'
import { type FilesResult, type RunOptions, runFiles } from '@coffer/local/testing/run-files.ts'
import { type SecondPostgres, startSecondPostgres } from '@coffer/local/testing/second-postgres.ts'
import { sandboxForFiles } from '../e2e/sandbox.ts'
import { buildWeb } from './parts.ts'
import { selectChanged } from './testing/changed.ts'
import { Durations, isLong } from './testing/durations.ts'
import { type Job, longestFirst, runPool, shuffled } from './testing/pool.ts'
import { stageVariable, watchProcessor } from './testing/processor.ts'
import { runProgram } from './testing/program.ts'
import { Totals } from './testing/totals.ts'

const root = join(import.meta.dirname, '..')
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    fuzz: { type: 'string' },
    shuffle: { type: 'string' },
    seed: { type: 'string' },
    times: { type: 'boolean', default: false },
  },
})
// Programs and servers that tests start inherit these. Compiling is a third of the start of a server.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compile')
process.on('exit', ownTemporaryFolder())
const processor = watchProcessor()
if (flags.full) process.env[fullVariable] = '1'
if (flags.fuzz) process.env.COFFER_TEST_FUZZ = flags.fuzz
if (flags.seed) process.env.COFFER_TEST_SEED = flags.seed

/** Number of runs, each in an order of its own. */
const rounds = flags.shuffle === undefined ? 1 : Number(flags.shuffle)
/** Time (ms) without a test that begins or ends after which files count as hanging, and the limit of a program. */
const fileLimit = 600_000
/** No file is started after this time, so that a slow machine reports what it did not run. */
const end = Date.now() + rounds * 55 * 60_000
const totals = new Totals(stage => stage === 'browser' && stopSandboxes())
/** Ends a run in which something else hangs, such as a build. */
setTimeout(
  () => {
    totals.fail('run', 'did not end')
    totals.print()
    process.exit(1)
  },
  rounds * 60 * 60_000,
).unref()

const cores = Math.max(2, Math.min(availableParallelism(), 4))
const durations = new Durations(join(root, '.cache', 'test-durations.json'))
const found = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).sort()
const integration = found('{packages,apps,tools}/**/*.int.test.ts')
const browser = found('e2e/**/*.e2e.test.ts')
const unit = found('{packages,apps,tools,bench}/**/*.test.ts').filter(file => !integration.includes(file))
/** With `--changed [base]`, what a change needs. */
const selection = flags.changed ? selectChanged(root, positionals[0], [...unit, ...integration, ...browser]) : undefined
const words = flags.changed ? [] : positionals
const isPart = selection !== undefined || words.length > 0
function wanted(stage: string, file?: string): boolean {
  if (selection) return file === undefined || selection.tests.includes(file)
  return words.length === 0 || words.some(word => stage.includes(word) || file?.includes(word))
}
/** What runs again on the second server: files that depend on it, which say so, or all of the server's. */
const onSecond = integration.filter(file =>
  flags.all ? file.startsWith('apps/server/') : readFileSync(join(root, file), 'utf8').startsWith('// second-server: '),
)
let second: Promise<SecondPostgres> | undefined

/** A stage without test files fails, as its pattern must be wrong. */
function chosen(stage: string, files: string[]): string[] {
  const those = selection
    ? selection.tests.filter(file => files.includes(file))
    : files.filter(file => wanted(stage, file))
  if (those.length === 0 && !isPart) totals.fail(stage, 'no test files')
  return those
}

/** Makes a job of a stage that runs `files`. `run` returns the processor time (s) of its files. */
function job(stage: string, name: string, files: string[], run: (worker: number) => Promise<number>): Job {
  totals.plan(stage)
  const measured = async (worker: number) => {
    const started = performance.now()
    totals.started(stage)
    const processor = await run(worker)
    durations.add(name, { wall: (performance.now() - started) / 1000, processor })
    totals.ended(stage)
  }
  return { name, seconds: durations.expect(name, files), run: measured }
}

/** The environment by which processes are counted for a stage. */
const inStage = (stage: string) => ({ [stageVariable]: stage })

/** A program, which passes by exiting with 0. Its output is printed only when it fails. */
function program(name: string, file: string, args: string[]): Job[] {
  if (!wanted(name)) return []
  const run = async () => {
    const { ok, output } = await runProgram(
      join(root, 'node_modules', '.bin', file),
      args,
      root,
      fileLimit,
      inStage(name),
    )
    if (ok) totals.pass(name, 1)
    else totals.fail(name, 'exits with an error', output)
    return 0
  }
  return [job(name, name, [], run)]
}

interface StageOptions {
  /**
   * How many files share a process, neighbours in the tree; by default each has its own. Loading takes longer than most
   * tests.
   */
  together?: number
  /** Name of a job that must have ended before. */
  after?: string
  /** How many workers may run its files. */
  workers?: number
  /** Added to the environment of a file that this worker runs. */
  env?: (worker: number) => Promise<Record<string, string>>
}

/** Jobs that run files. */
function stage(name: string, all: string[], seed: number | undefined, options: StageOptions = {}): Job[] {
  const files = chosen(name, all)
  const { together = 1, after, workers, env = async () => ({}) } = options
  return groups(files, flags.alone ? 1 : together).map(group => {
    const paths = group.map(file => join(root, file))
    const title = `${name}: ${group[0]}${group.length === 1 ? '' : ` and ${group.length - 1} more`}`
    const run = async (worker: number) => {
      if (Date.now() > end) {
        totals.fail(name, `${group.join(', ')} was not run for lack of time`)
        return 0
      }
      const settings = { env: { ...(await env(worker)), ...inStage(name) }, ...(seed !== undefined && { seed }) }
      const { tests, processor } = await runGroup(name, group, settings)
      if (flags.alone) for (const only of tests) await runGroup(name, group, { ...settings, only })
      return processor
    }
    return { ...job(name, title, paths, run), ...(after && { after }), ...(workers && { workers }) }
  })
}

/** Groups of at most `size` neighbours. Long files stay alone. */
function groups(files: string[], size: number): string[][] {
  const alone = files.filter(isLong)
  const others = files.filter(file => !isLong(file))
  const count = Math.ceil(others.length / size)
  const start = (at: number) => Math.round((at * others.length) / count)
  return [
    ...alone.map(file => [file]),
    ...Array.from({ length: count }, (_, at) => others.slice(start(at), start(at + 1))),
  ]
}

async function runGroup(stage: string, group: string[], options: RunOptions): Promise<FilesResult> {
  const paths = group.map(file => join(root, file))
  const result = await runFiles(paths, fileLimit, options)
  totals.pass(stage, result.passed)
  const alone = options.only === undefined ? '' : ' (alone)'
  for (const { file, test, reason } of result.failures)
    totals.fail(stage, `${file.replaceAll(`${root}/`, '')} > ${test}${alone}`, reason)
  return result
}

const build = 'web bundle'
const workers = cores + 1
/** Of each worker that runs browser tests. They run first, so that the sandboxes end early. */
const sandboxes = Array.from({ length: cores }, () => sandboxForFiles(inStage('browser')))
const stopSandboxes = () => Promise.all(sandboxes.map(({ stop }) => stop()))

/** Jobs of the stages that run test files. */
const tests = (seed?: number): Job[] => [
  ...stage('unit', unit, seed, { together: Math.ceil(unit.length / (2 * cores)) }),
  ...stage('integration', integration, seed, { together: 16 }),
  ...stage('second-server', onSecond, seed, {
    together: 8,
    env: async () => {
      second ??= startSecondPostgres()
      return { COFFER_TEST_PG: (await second).url }
    },
  }),
  ...stage('browser', browser, seed, {
    together: 6,
    after: build,
    workers: sandboxes.length,
    env: worker => sandboxes[worker]!.env(),
  }),
]

/**
 * Arguments that check the types of a project. The compiler keeps in the cache what it found about each file, by its
 * hash and that of what it imports, and checks again what these change.
 */
const typesOf = (project: string, name: string) => [
  '-p',
  project,
  '--singleThreaded',
  '--incremental',
  '--tsBuildInfoFile',
  join(root, '.cache', 'types', `${name}.tsbuildinfo`),
]

/** Jobs that run programs. */
const programs = (): Job[] => [
  ...program('types', 'tsc', typesOf('.', 'server')),
  ...program('types of the web', 'tsc', typesOf('apps/web', 'web')),
  ...program('lint', 'biome', ['ci', '--error-on-warnings', '.']),
  ...program('checks', 'node', ['tools/check.ts']),
]

/** The bundle that browser tests need. */
const webBundle = (): Job =>
  job(build, build, [], async () => {
    await buildWeb().catch(error => totals.fail(build, 'could not be built', String(error)))
    return 0
  })

async function finish(): Promise<never> {
  await Promise.all([second?.then(({ stop }) => stop()), stopSandboxes()])
  durations.store()
  if (flags.times) console.log(durations.table())
  console.log(`\n${processor.end()}`)
  totals.print()
  process.exit(totals.failed === 0 ? 0 : 1)
}

if (flags.shuffle === undefined) {
  const needed = [...programs(), ...tests()]
  if (needed.some(({ after }) => after === build)) needed.push(webBundle())
  if (selection) console.log(selection.summary)
  await runPool(selection ? needed : longestFirst(needed), workers)
} else {
  if (browser.some(file => wanted('browser', file))) await runPool([webBundle()], 1)
  for (let round = 1; round <= rounds; round++) {
    const seed = flags.seed === undefined ? randomInt(2 ** 32 - 1) : Number(flags.seed)
    console.log(`Round ${round} of ${rounds}. To repeat its order: --shuffle 1 --seed ${seed}`)
    await runPool(shuffled(tests(seed), seed), workers)
  }
}
await finish()
