import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Identifies a process. A pid alone may have been reused; `started` is its start time in clock ticks. */
export type ProcessId = { pid: number; started: string }

/** Returns the identity of a running process; undefined when there is none or it is a zombie. */
export function processIdOf(pid: number): ProcessId | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name is in brackets and may contain spaces: count the fields from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, started: `${fields[19]}` }
  } catch {
    return undefined
  }
}

/** Whether exactly this process is still running. */
export function isRunning(id: ProcessId): boolean {
  return processIdOf(id.pid)?.started === id.started
}

/** Returns the working directory of a process; undefined when it cannot be read. */
export function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Whether a process itself listens on a TCP port of 127.0.0.1. */
export function listensOn(pid: number, port: number): boolean {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const fields = rows.map(row => row.trim().split(/\s+/)).filter(row => row[1] === address && row[3] === LISTEN)
  const sockets = new Set(fields.map(row => `socket:[${row[9]}]`))
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).some(fd => sockets.has(readlinkSync(`${folder}/${fd}`)))
  } catch {
    // It has ended, or closed a file meanwhile.
    return false
  }
}

/** State of a listening socket in /proc/net/tcp. */
const LISTEN = '0A'

/** Sends a signal to exactly this process. Returns false when it is no longer running. */
export function sendSignal(id: ProcessId, name: NodeJS.Signals): boolean {
  if (!isRunning(id)) return false
  try {
    return process.kill(id.pid, name)
  } catch {
    return false
  }
}

/** Waits at most `ms` milliseconds for the process to exit. Returns whether it has. */
export async function waitForEnd(id: ProcessId, ms: number): Promise<boolean> {
  const until = Date.now() + ms
  while (isRunning(id)) {
    if (Date.now() > until) return false
    await sleep(20)
  }
  return true
}

/**
 * Ends a process: sends each signal and waits up to its time (ms), then sends SIGKILL. Resolves once the process has
 * ended.
 */
export async function endProcess(id: ProcessId, signals: [NodeJS.Signals, number][]): Promise<void> {
  for (const [name, ms] of signals) {
    if (!sendSignal(id, name) || (await waitForEnd(id, ms))) return
  }
  sendSignal(id, 'SIGKILL')
  await waitForEnd(id, 5_000)
}

/** Records a started process in a file, so that the next start can end it if this process is killed. */
export function recordProcess(path: string, id: ProcessId): void {
  writeFileSync(path, JSON.stringify(id))
}

/**
 * Ends the process recorded at `path`, if it is still running, and removes the record. A truncated record is ignored.
 */
export async function endRecordedProcess(path: string, signals: [NodeJS.Signals, number][]): Promise<void> {
  if (!existsSync(path)) return
  try {
    const id: ProcessId = JSON.parse(readFileSync(path, 'utf8'))
    await endProcess(id, signals)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  rmSync(path, { force: true })
}
