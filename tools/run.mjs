/**
 * What every npm script begins with: `node tools/run.mjs <script.ts> [args]`. It runs on any Node from 20 on, installs
 * the dependencies when they are missing or not those of the lock file, and then runs the script with the Node that
 * came with them. It forwards signals, and ends when the script has ended, with its exit code.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDependencies, isInstalled, rememberInstalled } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'node_modules', '.bin')
const [script, ...args] = process.argv.slice(2)

/** @param {string} line @returns {never} */
function fail(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

if (!script) fail('usage: node tools/run.mjs <script.ts> [args]')

if (!isInstalled(root)) {
  process.stderr.write('Installing dependencies ...\n')
  const { code, output } = await installDependencies(root)
  if (code !== 0) fail(`${output}\nThe dependencies could not be installed; the reason is above.`)
  if (!isInstalled(root)) fail('npm left out some dependencies. Remove node_modules and start again.')
}
rememberInstalled(root)

const program = join(root, 'node_modules', 'node', 'bin', 'node')
if (!existsSync(program)) {
  fail('npm did not let the package "node" install its program. Run: npm rebuild node --ignore-scripts=false')
}

const child = spawn(program, [script, ...args], {
  // The channel tells the script when we are killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
})
child.on('error', error => fail(`Node could not be started: ${error.message}`))

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal))
}

// npm runs us through a shell, which may end without telling us when npm is stopped.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}

child.on('exit', (code, signal) => {
  // A signal we forwarded ends us the same way, as a shell would say it.
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }
  process.exit(code ?? 128 + (numbers[signal] ?? 1))
})
