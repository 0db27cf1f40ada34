import { ChainUnavailable, type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { logLoss } from '../../kit/log-loss.ts'
import { SignerUnavailable } from '../../signer/client.ts'

/** Outages in a row after which the rest of a pass is left to the next one. */
const downAfter = 3
/** Seconds after which a failure that was not seen again is forgotten. */
const forgottenAfter = 600

/** A part of passes that fails: since when, when it last did, and why. */
export interface PassFailure {
  since: number
  at: number
  reason: string
  /** Whether the nodes or the signer did not answer. */
  isOutage: boolean
}

const failures = new WeakMap<ChainView, Map<string, PassFailure>>()

/** What this process fails at on a chain, by part. */
export function getChainFailures(chain: ChainView): Map<string, PassFailure> {
  const found = failures.get(chain) ?? new Map<string, PassFailure>()
  failures.set(chain, found)
  return found
}

const noted = new WeakSet<object>()
/** Whether an error was noted as the failure of a part, so that what threw it has done everything else. */
export const isRecordedFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && noted.has(error)

const isOutage = (error: unknown) => error instanceof ChainUnavailable || error instanceof SignerUnavailable

/**
 * Runs each part of a pass over a chain by itself: one that fails keeps no other from being run, in whatever way it
 * fails, and is run after the others in later passes. Outages in a row end the pass, since each may take as long as
 * nodes are waited for.
 */
export class IsolatedRunner {
  readonly #deps: Pick<Deps, 'clock' | 'log'>
  readonly #chain: ChainView
  readonly #failures: Map<string, PassFailure>
  #outages = 0
  #error: unknown

  constructor(deps: Pick<Deps, 'clock' | 'log'>, chain: ChainView) {
    this.#deps = deps
    this.#chain = chain
    this.#failures = getChainFailures(chain)
  }

  /** Whether nodes or the signer are down, so that the rest of the pass is left to the next one. */
  get isDown(): boolean {
    return this.#outages >= downAfter
  }

  /** Runs a part. Returns undefined if it fails. */
  async run<T>(part: string, work: () => Promise<T>): Promise<T | undefined> {
    const { clock, log } = this.#deps
    try {
      const result = await work()
      this.#failures.delete(part)
      this.#outages = 0
      return result
    } catch (error) {
      const reason = String((error as Error | undefined)?.message ?? error).slice(0, 300)
      const now = clock()
      const before = this.#failures.get(part)
      this.#failures.set(part, { since: before?.since ?? now, at: now, reason, isOutage: isOutage(error) })
      this.#outages = isOutage(error) ? this.#outages + 1 : 0
      const what = { chain: this.#chain.definition.id, part, ...(isChainError(error) ? { reason } : { err: error }) }
      if (isChainError(error) || !logLoss(log, error, { part }))
        log[before ? 'debug' : 'warn'](what, 'a part of a pass failed')
      if (typeof error === 'object' && error !== null) noted.add(error)
      if (!isChainError(error) && !(error instanceof SignerUnavailable)) this.#error ??= error
      return undefined
    }
  }

  /** Seconds for which a part has failed; 0 if it does not. */
  failsFor(part: string): number {
    const failure = this.#failures.get(part)
    return failure ? this.#deps.clock() - failure.since : 0
  }

  /** Moves what failed before behind the rest. */
  failedLast<T>(all: readonly T[], partOf: (each: T) => string): T[] {
    return all.toSorted((a, b) => Number(this.#failures.has(partOf(a))) - Number(this.#failures.has(partOf(b))))
  }

  /** Ends the pass: throws the first error that neither nodes nor the signer caused. */
  end(): void {
    const now = this.#deps.clock()
    for (const [part, { at }] of this.#failures) if (now - at > forgottenAfter) this.#failures.delete(part)
    if (this.#error !== undefined) throw this.#error
  }
}
