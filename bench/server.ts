import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serverFlags, serverMalloc } from '../tools/parts.ts'
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
    env: { ...process.env, ...serverMalloc },
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

/** The processes of a running sandbox on a data folder, and the URLs of its chains. */
export function serverOf(data: string): { pid: number; signer: number; chains: string[] } {
  const read = (pid: string | number, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const settingsOf = (pid: string) => read(pid, 'environ').split('\0')
  const pid = pids.find(
    each => /src\/main\.ts/.test(read(each, 'cmdline')) && settingsOf(each).includes(`COFFER_DATA=${data}`),
  )
  const signer = pids.find(
    each =>
      pid &&
      read(each, 'stat')
        .replace(/^.*\) /, '')
        .split(' ')[1] === pid,
  )
  if (!pid || !signer) throw new Error('the server of the sandbox was not found')
  const chains = settingsOf(pid).find(each => each.startsWith('COFFER_SANDBOX_CHAINS='))
  return { pid: Number(pid), signer: Number(signer), chains: chains!.split('=')[1]!.split(',') }
}

/** Resident memory of a process, of which shared pages count in part (PSS), in MB. */
export const proportionalMb = (pid: number): number => memoryMb(pid, 'Pss')

/** Resident memory of a process with all shared pages, such as Node's own code, in MB. */
export const residentMb = (pid: number): number => memoryMb(pid, 'Rss')

function memoryMb(pid: number, what: 'Pss' | 'Rss'): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1024
}
