import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** One process for certain: a pid alone may have been given to another process since. */
export type ProcessId = { pid: number; started: string }

/** Gives the identity of a running process, or undefined when no such process runs (a zombie does not run). */
export function identify(pid: number): ProcessId | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name is in brackets and may hold spaces: count the fields from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, started: `${fields[19]}` }
  } catch {
    return undefined
  }
}

/** Says whether exactly this process still runs. */
export function isRunning(id: ProcessId): boolean {
  return identify(id.pid)?.started === id.started
}

/** Gives the folder a process works in, or undefined when it cannot be seen. */
export function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Sends a signal to exactly this process; gives false when it no longer runs. */
export function signal(id: ProcessId, name: NodeJS.Signals): boolean {
  if (!isRunning(id)) return false
  try {
    return process.kill(id.pid, name)
  } catch {
    return false
  }
}

/** Waits until the process is gone, at most `ms` milliseconds; gives true when it is gone. */
export async function waitForEnd(id: ProcessId, ms: number): Promise<boolean> {
  const until = Date.now() + ms
  while (isRunning(id)) {
    if (Date.now() > until) return false
    await sleep(20)
  }
  return true
}

/**
 * Ends a process: sends each signal in turn and waits `ms` milliseconds after each, then sends SIGKILL.
 * Takes the signals in the order to try them; resolves when the process is gone.
 */
export async function endProcess(id: ProcessId, signals: [NodeJS.Signals, number][]): Promise<void> {
  for (const [name, ms] of signals) {
    if (!signal(id, name) || (await waitForEnd(id, ms))) return
  }
  signal(id, 'SIGKILL')
  await waitForEnd(id, 5_000)
}

/** Writes down which process was started, so that the next start can end it should we be killed. */
export function record(path: string, id: ProcessId): void {
  writeFileSync(path, JSON.stringify(id))
}

/**
 * Ends the process that a killed parent recorded at `path`, if it still runs, and forgets it.
 * Takes what endProcess takes. A record that was cut off in the middle counts as none.
 */
export async function endRecorded(path: string, signals: [NodeJS.Signals, number][]): Promise<void> {
  if (!existsSync(path)) return
  try {
    const id: ProcessId = JSON.parse(readFileSync(path, 'utf8'))
    await endProcess(id, signals)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  rmSync(path, { force: true })
}
