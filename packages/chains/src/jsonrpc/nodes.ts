import { BlockGone, CallRefused, ChainUnavailable, TooLarge } from '../errors.ts'
import { type Answer, type Call, type Endpoint, http, rpc } from './rpc.ts'

/** The node does not have what was asked for. Another one may. */
export class Missing extends Error {
  override name = 'Missing'
}

/** For a question about one thing: null when no node has it. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof Missing) return null
  throw error
}

/** For a question about a known block: BlockGone when no node has it. */
export function goneIfMissing(error: unknown): never {
  throw error instanceof Missing ? new BlockGone(error.message) : error
}

export type NodesOptions = {
  /** In the order in which they are asked. */
  endpoints: Endpoint[]
  /** The chain that nodes must be of: each is asked before its first answer counts. */
  chainId?: number
  /** Milliseconds, for penalties; not tied to the calendar. */
  now?: () => number
  timeoutMs?: number
  /** An answer slower than this counts, but its node is asked last for a while. */
  slowMs?: number
  maxBytes?: number
  /** ReportedTransfer of every failure, for logs and metrics. */
  onError?: (url: string, error: Error) => void
}

type Node = {
  endpoint: Endpoint
  /** Failures in a row, and when the first of them was. */
  failures: number
  since: number
  until: number
  /** Since when it has refused to say what all are asked; null when it did not. */
  mute: number | null
  batches: boolean
  known: boolean
}

const PENALTY_MS = 500
const MAX_PENALTY_MS = 60_000
/** How long a node may fail before it has no voice any more. */
const AWAY_MS = 60_000
const MAX_BATCH = 50

/**
 * Several nodes of one chain. Each call goes to the first that is not in trouble, and on to the next when it fails,
 * answers in a wrong shape, or does not have what was asked for. A node that fails is left alone for a growing time.
 */
export class Nodes {
  readonly #nodes: Node[]
  readonly #chainId: number | undefined
  readonly #now: () => number
  readonly #timeoutMs: number
  readonly #slowMs: number
  readonly #maxBytes: number
  readonly #onError: (url: string, error: Error) => void

  constructor(options: NodesOptions) {
    if (options.endpoints.length === 0) throw new Error('a chain needs at least one node')
    this.#chainId = options.chainId
    const fresh = { failures: 0, since: 0, until: 0, mute: null, batches: true, known: options.chainId === undefined }
    this.#nodes = options.endpoints.map(endpoint => ({ endpoint, ...fresh }))
    this.#now = options.now ?? (() => performance.now())
    this.#timeoutMs = options.timeoutMs ?? 10_000
    this.#slowMs = options.slowMs ?? 5_000
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024
    this.#onError = options.onError ?? (() => {})
  }

  get size(): number {
    return this.#nodes.length
  }

  /**
   * Asks one thing. `read` turns the raw result into a value; it throws Missing for "not here", and anything else it
   * throws means that the node's answer is wrong.
   * @throws Missing when every node that answered lacks it; CallRefused, TooLarge or ChainUnavailable otherwise
   */
  ask<T>(method: string, params: readonly unknown[], read: (result: unknown) => T | Promise<T>): Promise<T> {
    return this.askMany([{ method, params }], results => read(results[0]))
  }

  /** Asks many things of one and the same node; `read` sees all results together. Errors as in `ask`. */
  async askMany<T>(calls: Call[], read: (results: unknown[]) => T | Promise<T>): Promise<T> {
    return this.#first(node => this.#results(node, calls), read)
  }

  /** Asks a path of the HTTP interface that nodes of TRON have beside JSON-RPC. Errors as in `ask`. */
  askPath<T>(path: string, body: object, read: (result: unknown) => T | Promise<T>): Promise<T> {
    return this.#first(node => http(node.endpoint, path, body, this.#timeoutMs, this.#maxBytes), read)
  }

  async #first<R, T>(ask: (node: Node) => Promise<R>, read: (result: R) => T | Promise<T>): Promise<T> {
    let worst: Error | null = null
    for (const node of this.#inOrder()) {
      const outcome = await this.#try(node, ask, read)
      if (!(outcome instanceof Error)) return outcome.value
      // A refusal or a gap says more than "unreachable", which says nothing about the question.
      if (worst === null || worst instanceof ChainUnavailable) worst = outcome
    }
    throw worst ?? new ChainUnavailable('no node')
  }

  /** Asks every node that is not in trouble, at the same time. Gives a value or an error for each, in their order. */
  askEach<T>(method: string, params: readonly unknown[], read: (result: unknown) => T): Promise<(T | Error)[]> {
    return this.#askEachOf(this.#inOrder(), [{ method, params }], results => read(results[0]))
  }

  /**
   * Asks many things of every node, also those in trouble, unless they have been for a minute; `read` sees all results of
   * one node together. Gives a value or an error for each, without the failures and refusals of those that have gone on with
   * them for a minute.
   */
  async askVoices<T>(calls: Call[], read: (results: unknown[]) => T): Promise<(T | Error)[]> {
    const isLong = (since: number) => this.#now() - since >= AWAY_MS
    const asked = this.#nodes.filter(node => node.until <= this.#now() || !isLong(node.since))
    const nodes = /* guard: failing-nodes-count */ asked.length > 0 /* end */ ? asked : this.#inOrder()
    const answers = await this.#askEachOf(nodes, calls, read)
    const voices = answers.filter((answer, i) => {
      const node = nodes[i]!
      if (answer instanceof ChainUnavailable) return !isLong(node.since)
      const refuses = answer instanceof CallRefused || answer instanceof TooLarge
      node.mute = refuses ? (node.mute ?? this.#now()) : null
      return node.mute === null || !isLong(node.mute)
    })
    return voices.length > 0 ? voices : answers
  }

  #askEachOf<T>(nodes: Node[], calls: Call[], read: (results: unknown[]) => T): Promise<(T | Error)[]> {
    return Promise.all(
      nodes.map(async node => {
        const outcome = await this.#try(node, which => this.#results(which, calls), read)
        return outcome instanceof Error ? outcome : outcome.value
      }),
    )
  }

  #inOrder(): Node[] {
    const now = this.#now()
    const healthy = this.#nodes.filter(node => node.until <= now)
    // With nobody healthy the one whose penalty ends first is better than not asking at all.
    const rest = this.#nodes.filter(node => node.until > now).sort((a, b) => a.until - b.until)
    return healthy.length > 0 ? healthy : rest.slice(0, 1)
  }

  async #try<R, T>(node: Node, ask: (node: Node) => Promise<R>, read: (result: R) => T | Promise<T>) {
    const started = this.#now()
    try {
      if (!node.known) await this.#identify(node)
      const result = await ask(node)
      const took = this.#now() - started
      const value = await read(result)
      if (took > this.#slowMs) this.#punish(node, new ChainUnavailable('slow answer'))
      else node.failures = 0
      return { value }
    } catch (error) {
      if (error instanceof Missing || error instanceof CallRefused || error instanceof TooLarge) return error
      const trouble = error instanceof ChainUnavailable ? error : new ChainUnavailable((error as Error).message)
      this.#punish(node, trouble)
      return trouble
    }
  }

  async #results(node: Node, calls: Call[]): Promise<unknown[]> {
    const answers = await this.#send(node, calls)
    return answers.map(answer => {
      if ('refused' in answer) throw answer.refused
      return answer.result
    })
  }

  async #send(node: Node, calls: Call[]): Promise<Answer[]> {
    const size = node.batches ? MAX_BATCH : 1
    const answers: Answer[] = []
    for (let at = 0; at < calls.length; at += size) {
      const part = calls.slice(at, at + size)
      try {
        answers.push(...(await rpc(node.endpoint, part, this.#timeoutMs, this.#maxBytes)))
      } catch (error) {
        // A refusal of the batch as a whole is a node that takes none: from now on one by one.
        if (!(error instanceof CallRefused) || part.length === 1) throw error
        node.batches = false
        return this.#send(node, calls)
      }
    }
    return answers
  }

  /** Money on a test network is worth nothing: a node of another chain than the operator meant must never tell of any. */
  async #identify(node: Node): Promise<void> {
    const call = { method: 'eth_chainId', params: [] }
    const [answer] = await rpc(node.endpoint, [call], this.#timeoutMs, this.#maxBytes)
    const said = answer && 'result' in answer ? String(answer.result) : 'none'
    if (Number(said) !== this.#chainId) throw new ChainUnavailable(`its chain id is ${said}, not ${this.#chainId}`)
    node.known = true
  }

  #punish(node: Node, error: Error) {
    if (node.failures++ === 0) node.since = this.#now()
    node.until = this.#now() + Math.min(MAX_PENALTY_MS, PENALTY_MS * 2 ** (node.failures - 1))
    this.#onError(node.endpoint.url, error)
  }
}
