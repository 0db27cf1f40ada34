import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SupervisedChild, startChild } from '@coffer/local/children.ts'

/** Pause before a program that ended is started again, as by systemd (ms). */
const restartMs = 1_000

/** A program that is started again whenever it ends. */
export interface Program {
  /** It, and what it has started. */
  pids: () => number[]
  /** Kills it, and leaves it so until `release`. */
  crash: () => void
  release: () => void
  stop: () => Promise<void>
}

export async function startProgram(options: {
  name: string
  commandLine: string[]
  env?: NodeJS.ProcessEnv
  log: string
  stopMs?: number
}): Promise<Program> {
  const { name, log, env = process.env, stopMs = 10_000 } = options
  const [command, ...args] = options.commandLine
  let child: SupervisedChild | undefined
  let isHeld = false
  let isStopping = false
  let wake = () => {}
  const launch = async () => {
    const output = openSync(log, 'a', 0o600)
    const stdio = ['ignore', output, output] as ('ignore' | number)[]
    child = await startChild({ name, command: command!, args, env, cwd: '/', stdio, stopWith: [['SIGTERM', stopMs]] })
    closeSync(output)
    return child
  }
  await launch()
  const supervise = async () => {
    while (!isStopping) {
      await child?.ended
      await sleep(restartMs)
      while (isHeld && !isStopping)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      if (!isStopping) await launch()
    }
  }
  const supervising = supervise()
  const pids = () => (child ? withChildren([child.id.pid]) : [])
  return {
    pids,
    crash() {
      isHeld = true
      signalAll(pids(), 'SIGKILL')
    },
    release() {
      isHeld = false
      wake()
    },
    async stop() {
      isStopping = true
      wake()
      signalAll(pids(), 'SIGCONT')
      await child?.stop()
      await supervising
    },
  }
}

/** Adds all processes below these. */
export function withChildren(roots: number[]): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended.
    }
  }
  const found = new Set(roots)
  for (let before = 0; before !== found.size; ) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
}
