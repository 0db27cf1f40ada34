/**
 * `npm test`: types, lint, checks on the code, then unit tests, integration tests against the embedded PostgreSQL and
 * against a second server, and a real browser. `node tools/test.ts unit e2e/main` runs only the stages and files whose
 * names hold one of the words. Failures are printed in full where they happen; the last line counts everything.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import { buildWeb } from './parts.ts'
import { startSecondPostgres } from './testing/second-postgres.ts'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const wanted = (name: string) => words.length === 0 || words.some(word => name.includes(word))

const total = { passed: 0, failed: 0 }
const failures: string[] = []

function count(name: string, ok: boolean) {
  total[ok ? 'passed' : 'failed']++
  if (!ok) failures.push(name)
}

/** A program that passes by ending with 0. What it prints is shown when it does not. */
async function program(name: string, file: string, args: string[]): Promise<void> {
  if (!wanted(name)) return
  const started = Date.now()
  const child = spawn(join(root, 'node_modules', '.bin', file), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
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

/** Test files, some at once, each in a process of its own. A stage without tests has failed: something was not found. */
async function stage(name: string, files: string[], concurrency: number, env: Record<string, string> = {}) {
  const chosen = files.filter(file => wanted(name) || words.some(word => file.includes(word)))
  if (chosen.length === 0) {
    if (words.length === 0) count(`${name}: no test files`, false)
    return
  }
  const started = Date.now()
  Object.assign(process.env, env)
  let [passed, failed] = [0, 0]
  const events = run({ files: chosen.map(file => join(root, file)), concurrency, cwd: root, timeout: 600_000 })
  for await (const event of events) {
    if (event.type === 'test:fail' && event.data.details.error.failureType !== 'subtestsFailed') {
      const { name: test, file, details } = event.data
      console.log(`FAIL ${relative(file)} > ${test}\n${inspect(details.error.cause ?? details.error, { depth: 6 })}`)
      failures.push(`${name}: ${relative(file)} > ${test}`)
    }
    if (event.type === 'test:stderr') process.stderr.write(event.data.message)
    if (event.type === 'test:summary' && event.data.file === undefined) {
      passed = event.data.counts.passed
      failed = event.data.counts.tests - passed
    }
  }
  for (const key of Object.keys(env)) delete process.env[key]
  if (passed + failed === 0) failed = 1
  total.passed += passed
  total.failed += failed
  console.log(`${failed ? 'FAIL' : 'ok  '} ${name}: ${passed} passed, ${failed} failed (${seconds(started)})`)
}

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`
const relative = (file = '') => file.replace(`${root}/`, '')

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

const usesDatabase = integration.filter(file => file.startsWith('apps/server/') && !file.includes('/platform/'))
if (wanted('second') || words.length === 0) {
  const second = await startSecondPostgres()
  try {
    await stage(`second server (PostgreSQL ${second.version})`, usesDatabase, cores, { COFFER_TEST_PG: second.url })
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
