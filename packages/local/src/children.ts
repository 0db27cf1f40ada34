import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { endProcess, type ProcessId, processIdOf } from './processes.ts'

/** How a child ended: its exit code, or the signal that killed it. */
export type ProcessExit = { code: number | null; signal: NodeJS.Signals | null }

/** A supervised child process. */
export type SupervisedChild = {
  name: string
  id: ProcessId
  process: ChildProcess
  /** Resolves when the process has exited, for whatever reason. Never rejects. */
  ended: Promise<ProcessExit>
  /** Ends the process with the signals of `stopWith` in turn, then SIGKILL. Safe to call twice. */
  stop: () => Promise<void>
  /** Lets this process end before the child, which then ends too. */
  unref: () => void
}

export type ChildOptions = SpawnOptions & {
  name: string
  command: string
  args: string[]
  /** Signals that stop the process cleanly, each with the time (ms) allowed before the next. */
  stopWith: [NodeJS.Signals, number][]
}

/**
 * Ends a child whose parent was killed: a shell that blocks on its input, which the kernel closes when the parent dies,
 * and then sends the first stop signal if the pid still denotes the same process.
 */
const guardScript = `
trap '' INT TERM HUP
read -r line
[ "$(sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20)" = "$2" ] && kill -s "$3" "$1"
`

/**
 * Starts a child in its own session, so that Ctrl-C in a terminal reaches only the parent, which stops its children in
 * order. A guard process ends the child if the parent is killed. Rejects with the system error when it cannot start.
 */
export async function startChild(options: ChildOptions): Promise<SupervisedChild> {
  const { name, command, args, stopWith, ...rest } = options
  const child = spawn(command, args, { ...rest, detached: true })
  const ended = new Promise<ProcessExit>(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 1, signal: null }))
  })
  await once(child, 'spawn')
  const id = processIdOf(child.pid ?? 0) ?? { pid: child.pid ?? 0, started: 'ended at once' }
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
    unref: () => unref(child),
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
  unref(guard)
  return guard
}

/** Keeps neither a child nor its pipes from letting this process end. */
function unref(child: ChildProcess): void {
  child.unref()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) {
    // A net.Socket at run time.
    if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
  }
}
