import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What a job took. */
export interface Duration {
  /** s from start to end. */
  wall: number
  /** s of processor, without the shared PostgreSQL. */
  processor: number
}

/** How long jobs took when they last ran in this checkout, in a file of the cache. */
export class Durations {
  readonly #path: string
  readonly #stored: Record<string, Duration>
  readonly #now: Record<string, Duration> = {}

  constructor(path: string) {
    this.#path = path
    this.#stored = read(path)
  }

  /**
   * Expected seconds of a job: what it took last time, else a guess by the kind and size of its files (absolute paths).
   */
  expect(name: string, files: string[]): number {
    return this.#stored[name]?.wall ?? (files.length > 0 ? files.reduce((sum, file) => sum + guess(file), 0) : 20)
  }

  add(name: string, duration: Duration): void {
    this.#now[name] = duration
  }

  /** Stores what jobs of this run took beside those that it did not run. */
  store(): void {
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, JSON.stringify({ ...this.#stored, ...this.#now }))
  }

  /** Lists the jobs of this run, those with the most processor time first. */
  table(): string {
    const figure = (value: number) => value.toFixed(1).padStart(8)
    const lines = Object.entries(this.#now)
      .sort(([, a], [, b]) => b.processor - a.processor)
      .map(([name, { wall, processor }]) => `${figure(processor)}${figure(wall)}  ${name}`)
    return ['processor    wall (s)', ...lines].join('\n')
  }
}

function read(path: string): Record<string, Duration> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * Files that begin early and alone: those whose size says nothing, so that no worker waits for the last of them, those
 * that need a new process, and those with a sandbox of their own, which would run as long as all of the process.
 */
const long =
  /bad-nodes|simulation\.int|demo\/run|counted-list|foreign-sweeps|statements|(^|\/)tools\/.*\.int\.|(console|checkout)\.e2e/

export const isLong = (file: string): boolean => long.test(file)

/** Files that start servers take longer than others of their size. */
function guess(file: string): number {
  if (isLong(file)) return 90
  const perKilobyte = /\.e2e\.|^tools\/|\/sandbox\/|\/simulation/.test(file) ? 3 : 1
  return 2 + (perKilobyte * statSync(file).size) / 1024
}
