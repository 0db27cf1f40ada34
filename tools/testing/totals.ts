/** Counts of one stage. */
interface Stage {
  passed: number
  failed: number
  jobs: number
  started: number | undefined
}

/** Counts what passed and failed in each stage. Prints failures as they occur, and a line when a stage ends. */
export class Totals {
  passed = 0
  failed = 0
  readonly #failures: string[] = []
  readonly #stages = new Map<string, Stage>()
  readonly #onStageEnd: (stage: string) => unknown

  constructor(onStageEnd: (stage: string) => unknown) {
    this.#onStageEnd = onStageEnd
  }

  /** Expects one more job in the stage. */
  plan(stage: string): void {
    this.#stage(stage).jobs++
  }

  started(stage: string): void {
    this.#stage(stage).started ??= performance.now()
  }

  pass(stage: string, count: number): void {
    this.#stage(stage).passed += count
    this.passed += count
  }

  fail(stage: string, what: string, reason = ''): void {
    this.#stage(stage).failed++
    this.failed++
    this.#failures.push(`${stage}: ${what}`)
    console.log(`FAIL ${stage}: ${what}\n${reason}`)
  }

  /** A job of the stage has ended. */
  ended(stage: string): void {
    const { passed, failed, started = 0, ...rest } = this.#stage(stage)
    this.#stage(stage).jobs = rest.jobs - 1
    if (rest.jobs > 1) return
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${failed ? 'FAIL' : 'ok  '} ${stage}: ${passed} passed, ${failed} failed (${seconds} s)`)
    this.#stages.delete(stage)
    this.#onStageEnd(stage)
  }

  /** Prints what failed and, last, the totals. */
  print(): void {
    if (this.#failures.length > 0) console.log(`\nFailed:\n${this.#failures.map(each => `  ${each}`).join('\n')}`)
    console.log(`\n${this.passed} passed, ${this.failed} failed`)
  }

  #stage(name: string): Stage {
    const stage = this.#stages.get(name) ?? { passed: 0, failed: 0, jobs: 0, started: undefined }
    this.#stages.set(name, stage)
    return stage
  }
}
