import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { endProcess, identify, type ProcessId } from './processes.ts'

/** How a child ended: its exit code, or the signal that ended it. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

/** A process this one started and answers for. */
export type Child = {
  name: string
  id: ProcessId
  process: ChildProcess
  /** Resolves when the process has ended, for whatever reason. Never rejects. */
  ended: Promise<Ending>
  /** Ends the process: the gentle signals in turn, then SIGKILL. Safe to call twice. */
  stop: () => Promise<void>
}

export type ChildOptions = SpawnOptions & {
  name: string
  command: string
  args: string[]
  /** The signals that end it gently, each with the milliseconds it is given before the next. */
  stopWith: [NodeJS.Signals, number][]
}

/**
 * What ends a child whose parent was killed: a shell that waits for the end of its input, which the kernel brings about
 * when the parent is gone, and then sends the first gentle signal, if that pid is still the same process.
 */
const guardScript = `
trap '' INT TERM HUP
read -r line
[ "$(sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20)" = "$2" ] && kill -s "$3" "$1"
`

/**
 * Starts a child in a session of its own, so that Ctrl-C in a terminal reaches only us and we stop the children in
 * order, and with a guard that ends it when we are killed.
 * Takes what spawn takes, a name and the signals to stop it with; rejects with the system's error when it cannot start.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, stopWith, ...rest } = options
  const child = spawn(command, args, { ...rest, detached: true })
  const ended = new Promise<Ending>(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 1, signal: null }))
  })
  await once(child, 'spawn')
  const id = identify(child.pid ?? 0) ?? { pid: child.pid ?? 0, started: 'ended at once' }
  const guard = startGuard(id, stopWith[0]?.[0] ?? 'SIGTERM')
  ended.then(() => guard.stdin?.end())
  let stopping: Promise<void> | undefined
  return {
    name,
    id,
    process: child,
    ended,
    stop: () => {
      stopping ??= endProcess(id, stopWith)
      return stopping
    },
  }
}

function startGuard(id: ProcessId, signal: NodeJS.Signals): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'coffer-guard', String(id.pid), id.started, signal.slice(3)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  guard.unref()
  // A net.Socket at run time; without this the pipe alone would keep us alive.
  if (guard.stdin && 'unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return guard
}
