import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'

const start = fileURLToPath(new URL('../tools/start.ts', import.meta.url))

/** A sandbox as `npm start` runs it, on a port and a data folder of its own. */
export interface Sandbox {
  url: string
  /** Ends it: SIGTERM is what Ctrl-C does, SIGKILL is a crash. Resolves when the process is gone. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Starts it again on the same data. */
  startAgain: () => Promise<void>
}

/** Starts a sandbox and stops it at the end of the scope. Rejects with what it printed when it does not get ready. */
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
    await rm(data, { recursive: true, force: true })
  })
  return {
    url: `http://127.0.0.1:${port}`,
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
