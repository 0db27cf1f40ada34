import { type ChildProcess, spawn } from 'node:child_process'
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
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
    child.kill(signal)
    await gone
  }
  scope.after(async () => {
    await end('SIGTERM')
    // The database may still be writing its last files on a busy machine.
    await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    data,
    end,
    startAgain: async () => {
      child = await launch(settings)
    },
  }
}

function launch(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [start], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (chunk: Buffer) => {
      printed += chunk
      if (printed.includes('Coffer is ready at ')) resolve(child)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', code => reject(new Error(`the sandbox ended with ${code}:\n${printed}`)))
  })
}
