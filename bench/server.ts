import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serverFlags } from '../tools/parts.ts'
import type { Records } from './data.ts'
import { processorMs, type Scope } from './figure.ts'

/** A server in its own process. */
export interface BenchServer {
  url: string
  /** Session headers of the busy merchant. */
  headers: Record<string, string>
  /** CPU time so far (ms). */
  processor: () => number
  /** Peak resident memory (VmHWM), in MB. */
  peakMemory: () => number
  stop: () => Promise<void>
}

/** Starts bench/serve.ts on the database of `records`, until the end of the scope or `stop`. */
export async function startServer(here: Scope, { url, busy }: Records): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coffer-bench-data-'))
  here.after(() => rmSync(dataDir, { recursive: true }))
  const child = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, './serve.ts'), url, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  here.after(stop)
  const [line] = await once(createInterface(child.stdout), 'line')
  return {
    url: String(line),
    headers: { 'x-token': busy.token },
    processor: () => processorMs(child.pid!),
    peakMemory: () => {
      const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      return Number(kilobytes) / 1024
    },
    stop,
  }
}
