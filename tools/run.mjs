/**
 * Entry point of every npm script: `node tools/run.mjs <script.ts> [args]`. Runs on any Node from version 20, installs
 * missing or outdated dependencies, and then runs the script with the Node among them. Forwards signals and exits with
 * the script's exit code.
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
  // The IPC channel lets the script notice when this process is killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
})
child.on('error', error => fail(`Node could not be started: ${error.message}`))

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal))
}

// npm runs this process through a shell, which may exit without forwarding a signal when npm is stopped.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}

child.on('exit', (code, signal) => {
  // Exit codes of signals follow the shell's convention.
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }
  process.exit(code ?? 128 + (numbers[signal] ?? 1))
})
