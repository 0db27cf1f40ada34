/**
 * `npm test`: types, lint, checks of the code, unit tests, integration tests on the embedded PostgreSQL and some of them
 * on a second server, and browser tests. `node tools/test.ts unit e2e/main` runs only the stages and files whose names
 * contain one of the words; `second-server --all` runs every test of the server on the second one. Failures are printed in
 * full as they occur; the last line has the totals.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runFile } from '@coffer/local/testing/run-file.ts'
import { startSecondPostgres } from '@coffer/local/testing/second-postgres.ts'
import { buildWeb } from './parts.ts'

const root = join(import.meta.dirname, '..')
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})
// Programs and servers that tests start inherit it: compiling is a third of the start of a server.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compile')
/** Time limit of a test file (ms). The slowest takes a quarter of this on two cores. */
const fileLimit = 240_000
/** No file is started after this time, so that a slow machine reports what it did not run. */
const end = Date.now() + 55 * 60_000
/** Ends a run in which something else hangs, such as a build. */
setTimeout(() => {
  console.log(`The run did not finish in time.\n\n${total.passed} passed, ${total.failed + 1} failed`)
  process.exit(1)
}, 60 * 60_000).unref()
const wanted = (name: string) => words.length === 0 || words.some(word => name.includes(word))

const total = { passed: 0, failed: 0 }
const failures: string[] = []

function count(name: string, ok: boolean) {
  total[ok ? 'passed' : 'failed']++
  if (!ok) failures.push(name)
}

/** Runs a program, which passes by exiting with 0. Its output is printed only when it fails. */
async function program(name: string, file: string, args: string[]): Promise<void> {
  if (!wanted(name)) return
  const started = Date.now()
  const child = spawn(join(root, 'node_modules', '.bin', file), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: fileLimit,
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const code = await new Promise<number | null>(resolve => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  count(name, code === 0)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(started)})`)
  if (code !== 0) console.log(output)
}

/** Runs test files concurrently, each in its own process. A stage without test files fails, as its pattern must be wrong. */
async function stage(name: string, files: string[], concurrency: number, env: Record<string, string> = {}) {
  const chosen = files.filter(file => wanted(name) || words.some(word => file.includes(word)))
  if (chosen.length === 0) {
    if (words.length === 0) count(`${name}: no test files`, false)
    return
  }
  const started = Date.now()
  const [waiting, before] = [[...chosen], { ...total }]
  const worker = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      if (Date.now() > end) {
        count(`${name}: ${file} was not run for lack of time`, false)
        continue
      }
      const { passed, failures } = await runFile(join(root, file), fileLimit, env)
      total.passed += passed
      for (const { test, reason } of failures) {
        console.log(`FAIL ${file} > ${test}\n${reason}`)
        count(`${name}: ${file} > ${test}`, false)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const [passed, failed] = [total.passed - before.passed, total.failed - before.failed]
  console.log(`${failed ? 'FAIL' : 'ok  '} ${name}: ${passed} passed, ${failed} failed (${seconds(started)})`)
}

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`

const found = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).sort()
const integration = found('{packages,apps,tools}/**/*.int.test.ts')
const unit = found('{packages,apps,tools,bench}/**/*.test.ts').filter(file => !integration.includes(file))
const browser = found('e2e/**/*.e2e.test.ts')
const cores = Math.max(2, Math.min(availableParallelism(), 4))

await Promise.all([
  program('types', 'tsc', ['-p', '.']),
  program('types of the web', 'tsc', ['-p', 'apps/web']),
  program('lint', 'biome', ['ci', '--error-on-warnings', '.']),
])
await program('checks', 'node', ['tools/check.ts'])
await stage('unit', unit, cores)
await stage('integration', integration, cores)

/** What runs again on the second server: files that depend on it, which say so, or all of the server's. */
const onSecond = integration.filter(file =>
  flags.all ? file.startsWith('apps/server/') : readFileSync(join(root, file), 'utf8').startsWith('// second-server: '),
)
if (wanted('second-server')) {
  const second = await startSecondPostgres()
  console.log(`The second server is PostgreSQL ${second.version}.`)
  try {
    await stage('second-server', onSecond, cores, { COFFER_TEST_PG: second.url })
  } finally {
    await second.stop()
  }
}
if (browser.some(wanted) || wanted('browser')) {
  await buildWeb()
  await stage('browser', browser, 1)
}

if (failures.length > 0) console.log(`\nFailed:\n${failures.map(each => `  ${each}`).join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
