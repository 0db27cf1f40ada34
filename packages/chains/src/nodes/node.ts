import { CallRefused, ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import type { AnswerSpace } from './answer-space.ts'
import { areContractExecutions, type JsonRpcAnswer, type JsonRpcCall, sendRpcBatch } from './json-rpc.ts'
import { computeMaxAnswerBytes } from './limits.ts'
import { OversizedAnswer } from './parse.ts'
import { cleanMessage } from './said.ts'
import { type Endpoint, RateLimited, type RequestLimits } from './transport.ts'

/** The node does not have the requested object. Another node may. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing'
}

/**
 * The interfaces of a node contradict each other: nobody knows which is wrong, so that it is not queried for a while.
 */
export class InterfaceMismatch extends Error {
  override name = 'InterfaceMismatch'
}

/** What a node sent wrongly in answer to one kind of call. `points` count such answers, and halve with time. */
type Fault = { points: number; at: number; since: number; until: number }

/** How nodes of a kind report of which chain they are. */
export type NodeIdentity = {
  calls: JsonRpcCall[]
  /**
   * Reads the answers. Returns what the node must report from now on, which `before` has from the second time on.
   * Throws ChainUnavailable if it is of another chain.
   */
  read: (answers: readonly JsonRpcAnswer[], before: string | null) => string | null
}

/** What all nodes of a chain have in common. See `NodesOptions`. */
export type NodeSettings = {
  identity: NodeIdentity | undefined
  now: () => number
  sleep: (ms: number) => Promise<unknown>
  timeoutMs: number
  slowMs: number
  maxBytes: number
  space: AnswerSpace
  onError: (url: string, error: Error) => void
  onBatchSize: (url: string, size: number) => void
}

/** Makes a request to a node by an interface of its kind. Throws as `post` does. */
export type NodeRequest<R> = (to: Endpoint, limits: RequestLimits) => Promise<R>

const PENALTY_MS = 500
const MAX_PENALTY_MS = 60_000
/**
 * Longest time without a request to a node that limits the rate of requests, whatever time it says: limits are counted
 * by the second or the minute, and two nodes of three that say a minute would stop their chain for it.
 */
const MAX_LIMIT_MS = 15_000
/** Time (ms) in which the points of a fault halve; fewer than half a point are none. */
const FAULT_HALVES_MS = 60_000
const MAX_POINTS = 8
/** The name of a fault for which a node is not queried at all. */
const everything = ''
const MAX_BATCH = 50
/**
 * How long a smaller size of batches is used before a larger one is tried: after a rate limit, and after a refused
 * batch.
 */
const LIMITED_MS = 10_000
const REFUSED_MS = 600_000

/** One node: what it was queried for and failed at, how large its batches may be, and of which chain it is. */
export class Node {
  readonly endpoint: Endpoint
  readonly #settings: NodeSettings
  /** Consecutive requests without an answer. */
  #failures = 0
  #failingSince = 0
  #failedAt = 0
  #penaltyUntil = 0
  /**
   * By what was queried, or under no name for everything: a node that lies about one thing is still queried for others,
   * and a good answer of those is no excuse.
   */
  readonly #faults = new Map<string, Fault>()
  /** When it last gave a valid answer. */
  answeredAt = Number.NEGATIVE_INFINITY
  /** Until when the node is queried last, because another one had to be queried in its place. */
  lateUntil = 0
  /** Since when the node has refused votes; null if it answered the last one. */
  refusingSince: number | null = null
  /** Until when it is sent nothing, because it limits the rate of requests. */
  #limitedUntil = 0
  #batchSize = MAX_BATCH
  /** When a larger batch may be tried. */
  #growsAt = 0
  #identified: boolean
  /** What it reported when it was identified. */
  #reported: string | null = null

  constructor(endpoint: Endpoint, settings: NodeSettings) {
    this.endpoint = endpoint
    this.#settings = settings
    this.#identified = settings.identity === undefined
  }

  /** Makes it report its chain again before its next answer counts. */
  identifyAgain(): void {
    this.#identified = this.#settings.identity === undefined
  }

  /** Makes calls, and turns the results into a value. Resolves to an error of errors.ts or Missing if that fails. */
  try<T>(
    calls: JsonRpcCall[],
    read: (results: unknown[], url: string) => T | Promise<T>,
  ): Promise<{ value: T } | Error> {
    return this.#attempt(
      calls[0]?.method ?? '',
      limits => this.#results(calls, limits),
      results => read(results, this.endpoint.url),
    )
  }

  /** Makes a request by another interface of the node. Otherwise as `try`. */
  tryBy<R, T>(path: string, request: NodeRequest<R>, read: (result: R, url: string) => T | Promise<T>) {
    return this.#attempt(
      path,
      limits => request(this.endpoint, within(limits, computeMaxAnswerBytes({ method: path }))),
      result => read(result, this.endpoint.url),
    )
  }

  /** Until when it is not to be queried, or not for this. */
  penaltyUntil(method: string): number {
    const ofFault = (name: string) => this.#faults.get(name)?.until ?? 0
    return Math.max(this.#penaltyUntil, ofFault(method), ofFault(everything))
  }

  /**
   * Resolves when the node may be queried again that limits the rate of requests, if that is within a time (ms), else
   * at once.
   */
  async whenFree(withinMs: number): Promise<void> {
    const left = this.#limitedUntil - this.#settings.now()
    if (left > 0 && left <= withinMs) await this.#settings.sleep(left)
  }

  /** Since when it has not answered, or has been sending wrong answers to this; null if it does not. */
  failingSince(method: string): number | null {
    const since = this.#failures > 0 ? [this.#failingSince] : []
    for (const fault of [this.#faults.get(method), this.#faults.get(everything)])
      if (fault && this.#pointsOf(fault) > 0) since.push(fault.since)
    return since.length > 0 ? Math.min(...since) : null
  }

  async #attempt<R, T>(
    method: string,
    ask: (limits: RequestLimits) => Promise<R>,
    read: (result: R) => T | Promise<T>,
  ) {
    const { now, timeoutMs, slowMs, maxBytes, space } = this.#settings
    const started = now()
    // guard: rate-limited
    if (started < this.#limitedUntil) return new ChainUnavailable('the node limits the rate of requests')
    const holder = space.open(this.endpoint.url)
    const limits = { timeoutMs, maxBytes, holder }
    let isAnswered = false
    try {
      if (!this.#identified) await this.#identify(limits)
      const result = await ask(limits)
      const took = now() - started
      isAnswered = true
      const value = await read(result)
      this.answeredAt = now()
      if (took > slowMs) this.#penalize(new ChainUnavailable('slow response'), started)
      else this.#forgive(started)
      return { value }
    } catch (caught) {
      const error = inWords(caught as Error)
      if (error instanceof ObjectMissing || error instanceof CallRefused || error instanceof ResponseTooLarge) {
        this.answeredAt = now()
        return error
      }
      const failure = error instanceof ChainUnavailable ? error : new ChainUnavailable(error.message)
      if (error instanceof InterfaceMismatch) this.#blame(everything, failure, started)
      else if (isAnswered || failure instanceof OversizedAnswer) this.#blame(method, failure, started)
      else this.#penalize(failure, started)
      return failure
    } finally {
      holder.close()
    }
  }

  async #results(calls: JsonRpcCall[], limits: RequestLimits): Promise<unknown[]> {
    const answers = await this.#send(calls, limits)
    return answers.map(answer => {
      if ('refused' in answer) throw answer.refused
      return answer.result
    })
  }

  async #send(calls: JsonRpcCall[], limits: RequestLimits): Promise<JsonRpcAnswer[]> {
    const answers: JsonRpcAnswer[] = []
    while (answers.length < calls.length) {
      const part = calls.slice(answers.length, answers.length + this.#batchSize)
      try {
        const most = part.reduce((sum, call) => sum + computeMaxAnswerBytes(call), 0)
        // guard: failure-large
        const bounded = areContractExecutions(part)
          ? { ...limits, maxBytes: Math.min(most, limits.maxBytes) }
          : within(limits, most)
        answers.push(...(await sendRpcBatch(this.endpoint, part, bounded)))
        // guard: batches-grow
        if (part.length === this.#batchSize) this.#grow()
      } catch (error) {
        if (error instanceof RateLimited) this.#shrink(this.#batchSize / 2, LIMITED_MS)
        // The node refused the batch as a whole.
        if (!(error instanceof CallRefused) || part.length === 1) throw error
        this.#shrink(isAboutSize(error) ? part.length / 2 : 1, REFUSED_MS)
      }
    }
    return answers
  }

  #grow(): void {
    if (this.#batchSize < MAX_BATCH && this.#settings.now() >= this.#growsAt) this.#setBatchSize(this.#batchSize * 2)
  }

  #shrink(size: number, forMs: number): void {
    this.#growsAt = this.#settings.now() + forMs
    this.#setBatchSize(size)
  }

  #setBatchSize(size: number): void {
    this.#batchSize = Math.max(1, Math.min(MAX_BATCH, Math.floor(size)))
    this.#settings.onBatchSize(this.endpoint.url, this.#batchSize)
  }

  async #identify(limits: RequestLimits): Promise<void> {
    const { calls, read } = this.#settings.identity!
    this.#reported = read(await this.#send(calls, limits), this.#reported)
    this.#identified = true
  }

  /**
   * Does not ask the node for this for a time that doubles with each wrong answer, those to requests of one moment
   * being one. Only time makes up for them.
   */
  #blame(method: string, error: Error, started: number): void {
    const { now, onError } = this.#settings
    onError(this.endpoint.url, error)
    const before = this.#faults.get(method)
    // guard: faults-at-once
    if (before && started < before.at) return
    const left = before ? this.#pointsOf(before) : 0
    const points = Math.min(MAX_POINTS, left + 1)
    const until = now() + Math.min(MAX_PENALTY_MS, PENALTY_MS * 2 ** (points - 1))
    this.#faults.set(method, { points, at: now(), since: before && left > 0 ? before.since : now(), until })
  }

  /** What is left of the points of a fault. */
  #pointsOf({ points, at }: Fault): number {
    const left = points * 0.5 ** ((this.#settings.now() - at) / FAULT_HALVES_MS)
    return left < 0.5 ? 0 : left
  }

  /** Resets the counter after success; an answer to a query during a penalty ends it. */
  #forgive(started: number): void {
    this.#failures = 0
    if (started >= this.#failedAt) this.#penaltyUntil = 0
  }

  /**
   * Sends the node nothing, or less, for a time that doubles with each failure. Requests that were under way when one
   * failed fail with it: they are no further failures.
   */
  #penalize(error: Error, started: number): void {
    const { now, onError } = this.#settings
    onError(this.endpoint.url, error)
    // guard: failures-at-once
    if (this.#failures > 0 && started < this.#failedAt) return
    this.#failedAt = now()
    if (this.#failures++ === 0) this.#failingSince = now()
    const penalty = Math.min(MAX_PENALTY_MS, PENALTY_MS * 2 ** (this.#failures - 1))
    this.#penaltyUntil = now() + penalty
    if (error instanceof RateLimited) {
      this.#limitedUntil = now() + Math.min(MAX_LIMIT_MS, error.retryAfterMs ?? penalty)
      this.#penaltyUntil = this.#limitedUntil
    }
  }
}

/** Limits of a request whose answer may have so many bytes: beyond them, a node is at fault. */
function within(limits: RequestLimits, most: number): RequestLimits {
  if (most >= limits.maxBytes) return limits
  return { ...limits, maxBytes: most, exceeded: bytes => new OversizedAnswer(`response exceeds ${bytes} bytes`) }
}

/** Cleans the words of an error: they may be those of the node, or of a contract that it has executed. */
function inWords(error: Error): Error {
  const words = cleanMessage(error.message)
  if (words !== error.message) error.message = words
  return error
}

/** Whether a node refuses a batch for its size; others refuse every batch. */
const isAboutSize = ({ code, message }: CallRefused) =>
  code === 413 || /large|limit|exceed|max|size|many/i.test(message)
