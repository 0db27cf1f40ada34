import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export type Order = { seed: number; spoil: readonly string[] }
export type Answer = { seed: number; fault: string | null; stack?: string; transitions: string[] }

/** Module that removes a guard from a process. */
export const hook = join(import.meta.dirname, './remove-guard.ts')

/**
 * Time after which a seed, or a test without output, counts as hanging (ms): many times what it takes on a busy
 * machine.
 */
export const limitMs = 300_000

/** How the fault of a seed begins that did not end. */
export const HANGS = 'hangs'

/** A worker process. With `guard`, it runs without that guard's code. */
export class Worker {
  readonly #child: ChildProcess
  readonly #spoil: readonly string[]

  constructor({ guard, spoil = [] }: { guard?: string; spoil?: readonly string[] } = {}) {
    this.#spoil = spoil
    this.#child = fork(join(import.meta.dirname, './worker.ts'), guard ? [guard] : [], {
      execArgv: guard ? ['--import', hook] : [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
  }

  /**
   * Runs a seed. A process that exits without an answer has failed; its fault is the error on stderr. One that does not
   * answer within `limitMs` is killed; its fault begins with `HANGS`.
   */
  live(seed: number, limitMs?: number): Promise<Answer> {
    const child = this.#child
    return new Promise(resolve => {
      let words = ''
      const stuck = () => {
        done({ seed, fault: `${HANGS} for ${limitMs! / 1_000} s`, transitions: [] })
        child.kill('SIGKILL')
      }
      const timer = limitMs === undefined ? undefined : setTimeout(stuck, limitMs)
      const listen = (chunk: Buffer) => {
        words += chunk
      }
      const done = (answer: Answer) => {
        clearTimeout(timer)
        child.stderr!.off('data', listen)
        child.off('message', done).off('close', ended)
        resolve(answer)
      }
      const ended = () =>
        done({ seed, fault: `the process ended: ${/^.*[Ee]rror: .*$/m.exec(words)?.[0] ?? words}`, transitions: [] })
      child.stderr!.on('data', listen)
      child.on('message', done).on('close', ended)
      if (child.connected) child.send({ seed, spoil: this.#spoil } satisfies Order)
      else ended()
    })
  }

  stop(): void {
    this.#child.kill()
  }
}
