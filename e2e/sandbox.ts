import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'

const start = fileURLToPath(new URL('../tools/start.ts', import.meta.url))

/** A sandbox as run by `npm start`, with its own port and data folder. */
export interface Sandbox {
  url: string
  /** The data folder. */
  data: string
  /** Tells whether the process still runs. */
  runs: () => boolean
  /** Ends the sandbox: SIGTERM acts like Ctrl-C, SIGKILL like a crash. Resolves when the process has exited. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Restarts the sandbox on the same data. */
  startAgain: () => Promise<void>
}

/** Starts a sandbox that stops at the end of the scope. Rejects with its output when it does not get ready. */
export async function withSandbox(scope: Scope, env: Record<string, string> = {}): Promise<Sandbox> {
  const [port, data] = await Promise.all([steadyPort(), mkdtemp(join(tmpdir(), 'coffer-e2e-'))])
  const settings = { ...process.env, COFFER_PORT: String(port), COFFER_DATA: data, ...env }
  let child = await launch(settings)
  const runs = () => child.exitCode === null && child.signalCode === null
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (!runs()) return
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
    child.kill(signal)
    await ended
  }
  scope.after(async () => {
    await end('SIGTERM')
    // The database may still be writing its last files on a busy machine.
    await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  return {
    url: `http://localhost:${port}`,
    data,
    runs,
    end,
    startAgain: async () => {
      child = await launch(settings)
    },
  }
}

function launch(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  // It stops when the channel closes, that is when this process is killed.
  const child = spawn(process.execPath, [start], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (chunk: Buffer) => {
      printed += chunk
      if (printed.includes('Coffer is ready at ')) resolve(child)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code, signal) => {
      const ending = `the sandbox ended with ${signal ?? code}:\n${printed}`
      // Tests that find it gone later only see refused connections.
      if (printed.includes('Coffer is ready at ') && !child.killed)
        process.stderr.write(`${ending}\n${lastLines(`${env.COFFER_DATA}/log/server.log`)}\n`)
      reject(new Error(ending))
    })
  })
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
  } catch {
    return `${path} cannot be read`
  }
}

/** The environment variable in which the runner passes a sandbox to the files that share it. */
const passed = 'COFFER_E2E_SANDBOX'

/** Settings of the shared sandbox, each of a test that says so. No other test may depend on their absence. */
const sharedSettings = { TZ: 'America/New_York', COFFER_WITHDRAW_APPROVAL_ABOVE: '100' }

/**
 * The runner's sandbox if it has passed one, else a new one with the same settings. Tests bring merchants of their own.
 */
export async function sharedSandbox(scope: Scope): Promise<Pick<Sandbox, 'url' | 'data'>> {
  const given = process.env[passed]
  return given ? (JSON.parse(given) as Sandbox) : withSandbox(scope, sharedSettings)
}

/**
 * A sandbox for the files that one worker runs after each other. `env` passes it to a file: it starts at the first
 * call, and again when it has ended since. If it cannot be started, each file tries by itself and reports why. `added`
 * is added to its environment.
 */
export function sandboxForFiles(added: Record<string, string> = {}): {
  env: () => Promise<Record<string, string>>
  stop: () => Promise<void>
} {
  const ends: (() => unknown)[] = []
  let sandbox: Sandbox | undefined
  return {
    env: async (): Promise<Record<string, string>> => {
      if (!sandbox?.runs())
        sandbox = await withSandbox({ after: end => ends.push(end) }, { ...sharedSettings, ...added }).catch(
          () => undefined,
        )
      return sandbox ? { [passed]: JSON.stringify({ url: sandbox.url, data: sandbox.data }) } : {}
    },
    stop: async () => void (await Promise.all(ends.splice(0).map(end => end()))),
  }
}
