import { BlockOrphaned, CallRefused, ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import { AnswerSpace } from './answer-space.ts'
import type { JsonRpcCall } from './json-rpc.ts'
import { InterfaceMismatch, Node, type NodeIdentity, type NodeRequest, ObjectMissing } from './node.ts'
import type { Endpoint } from './transport.ts'

export { InterfaceMismatch, ObjectMissing }

/** Maps Missing to null; rethrows other errors. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof ObjectMissing) return null
  throw error
}

/** Maps Missing to BlockOrphaned; rethrows other errors. */
export function orphanedIfMissing(error: unknown): never {
  throw error instanceof ObjectMissing ? new BlockOrphaned(error.message) : error
}

/** How a valid answer is far from what most nodes report: a code, and what belongs to it. Amounts are in gwei. */
export type AnswerDifference =
  | readonly [code: 'far_base_fee' | 'far_tip', told: string, offered: string]
  | readonly [code: 'claims', txid: string]
  | readonly [code: 'claims_in_block', txid: string, block: string]
  | readonly [code: 'no_receipts' | 'denied_logs', method: string, block: string]

export type NodesOptions = {
  /** In order of preference. */
  endpoints: Endpoint[]
  /** How each node reports its chain before its first response is used. */
  identity?: NodeIdentity
  /** Monotonic clock in milliseconds, for penalties. */
  now?: () => number
  /** Resolves after a time (ms) by this clock. */
  sleep?: (ms: number) => Promise<unknown>
  timeoutMs?: number
  /** A slower response is used, but its node gets a penalty. */
  slowMs?: number
  /** Maximum size of a response. */
  maxBytes?: number
  /** Memory for answers; by default one for all nodes of the process. */
  space?: AnswerSpace
  /** Called on every failure, for logs and metrics. */
  onError?: (url: string, error: Error) => void
  /** Called when a vote that is not decided has waited a second for this node, for logs and metrics. */
  onWait?: (url: string) => void
  /** Called when most nodes report a block that this version cannot verify: from then on their agreement decides. */
  onUnverified?: (reason: string) => void
  /** Called with a node that answers validly, and far from what most nodes do. */
  onDiffers?: (url: string, difference: AnswerDifference) => void
  /** Called with each node whose block at a height was compared with that of most nodes. */
  onCompared?: (url: string, height: number, isSame: boolean) => void
  /** Called when a node gets smaller or larger batches of calls, for metrics. */
  onBatchSize?: (url: string, size: number) => void
}

/** Made once: making an error takes longer than a vote without it. */
const noAnswer = new ChainUnavailable('no answer in time')

/** Whether the answers so far decide, whatever the rest of this many nodes will answer. */
type Decided<T> = (answers: T[], queried: number) => boolean
type Ask<T> = (node: Node) => Promise<{ value: T } | Error>

/** Memory for the answers of all nodes of all chains, as received; what is made of them takes a few times as much. */
const SPACE = new AnswerSpace(256 * 1024 * 1024)
/** How long a node may fail or refuse before it no longer counts towards the quorum. */
export const VOTE_TIMEOUT_MS = 60_000
/** How long to wait for a node before the next is queried too, and for a failing node once another one has answered. */
const HEDGE_MS = 1_000
/** How long a node that was too late is queried last. */
const LATE_MS = 60_000

/** Asks a node, after a limit of its rate if that ends soon. */
async function whenFree<T>(node: Node, ask: Ask<T>): Promise<{ value: T } | Error> {
  await node.whenFree(HEDGE_MS)
  return ask(node)
}

/**
 * The nodes of one chain. A call goes to the first healthy node, then to the next if that one fails, returns a
 * malformed response or lacks the object. A failing node is not queried for a time that doubles with each failure.
 */
export class Nodes {
  readonly #nodes: Node[]
  readonly #now: () => number
  readonly #onWait: (url: string) => void

  constructor(options: NodesOptions) {
    if (options.endpoints.length === 0) throw new Error('a chain must have at least one node')
    this.#now = options.now ?? (() => performance.now())
    this.#onWait = options.onWait ?? (() => {})
    const settings = {
      identity: options.identity,
      now: this.#now,
      sleep: options.sleep ?? (ms => new Promise(resolve => setTimeout(resolve, ms))),
      timeoutMs: options.timeoutMs ?? 10_000,
      slowMs: options.slowMs ?? 5_000,
      maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
      space: options.space ?? SPACE,
      onError: options.onError ?? (() => {}),
      onBatchSize: options.onBatchSize ?? (() => {}),
    }
    this.#nodes = options.endpoints.map(endpoint => new Node(endpoint, settings))
  }

  /** Time since a node last gave a valid answer (ms). */
  get silentMs(): number {
    return this.#now() - Math.max(...this.#nodes.map(node => node.answeredAt))
  }

  get size(): number {
    return this.#nodes.length
  }

  /**
   * Makes a call. `read` turns the raw result into a value; it throws Missing if the node lacks the object, and any
   * other error if the response is invalid.
   * @throws Missing if every node that answered lacks the object; otherwise CallRefused, TooLarge or ChainUnavailable
   */
  ask<T>(method: string, params: readonly unknown[], read: (result: unknown) => T | Promise<T>): Promise<T> {
    return this.askMany([{ method, params }], results => read(results[0]))
  }

  /** Makes several calls to the same node; `read` gets all results, and its URL. Errors as in `ask`. */
  async askMany<T>(calls: JsonRpcCall[], read: (results: unknown[], url: string) => T | Promise<T>): Promise<T> {
    return this.#first(calls[0]?.method ?? '', node => node.try(calls, read))
  }

  /** Makes a request by another interface of the nodes; `read` also gets the URL of the node. Errors as in `ask`. */
  askBy<R, T>(path: string, request: NodeRequest<R>, read: (result: R, url: string) => T | Promise<T>): Promise<T> {
    return this.#first(path, node => node.tryBy(path, request, read))
  }

  /**
   * Queries one node after the other: the next as soon as one fails, and also when one takes long. The first answer
   * counts. A limit of the rate of the only node that is left is waited for.
   */
  #first<T>(method: string, ask: Ask<T>): Promise<T> {
    const nodes = this.#available(method)
    return new Promise((resolve, reject) => {
      let worst: Error = noAnswer
      let timer: NodeJS.Timeout | undefined
      let next = 0
      let running = 0
      const start = () => {
        clearTimeout(timer)
        const node = nodes[next++]
        if (!node) return running === 0 ? reject(worst) : undefined
        running++
        if (next < nodes.length) timer = setTimeout(late, HEDGE_MS, node)
        // guard: limit-awaited-alone
        const asking = nodes.length === 1 ? whenFree(node, ask) : ask(node)
        asking.then(outcome => {
          running--
          if (outcome instanceof Error) {
            // A refusal or a missing object is more informative than an unreachable node.
            if (worst instanceof ChainUnavailable) worst = outcome
            return start()
          }
          clearTimeout(timer)
          resolve(outcome.value)
        }, reject)
      }
      const late = (node: Node) => {
        node.lateUntil = this.#now() + LATE_MS
        start()
      }
      start()
    })
  }

  /**
   * Makes a call to every healthy node concurrently, and returns what was answered until `decided`, or until every node
   * that is not failing has answered or timed out; `read` also gets the URL of the node. Rejects with ChainUnavailable
   * if none answered.
   */
  async askMost<T>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown, url: string) => T,
    decided: Decided<T>,
  ) {
    const ask = (node: Node) => node.try([{ method, params }], (results, url) => read(results[0], url))
    const answers = await this.#collect(method, this.#available(method), ask, decided)
    const found = answers.filter(answer => !(answer instanceof Error)) as T[]
    if (found.length > 0) return found
    throw answers.find(answer => answer instanceof ObjectMissing) ?? answers[0] ?? new ChainUnavailable('no nodes')
  }

  /** Returns how to make a call to each healthy node by itself. Values and errors as in `askEach`. */
  singly<T>(method: string, params: readonly unknown[], read: (result: unknown) => T) {
    return this.#available(method).map(node => ({
      url: node.endpoint.url,
      ask: () => this.#askEachOf([node], [{ method, params }], results => read(results[0])).then(([answer]) => answer!),
    }))
  }

  /** Makes every node report its chain again before its next answer counts. */
  identifyAgain(): void {
    for (const node of this.#nodes) node.identifyAgain()
  }

  /** Makes a call to every healthy node concurrently. Returns a value or an error for each, in their order. */
  askEach<T>(method: string, params: readonly unknown[], read: (result: unknown) => T): Promise<(T | Error)[]> {
    return this.#askEachOf(this.#available(method), [{ method, params }], results => read(results[0]))
  }

  /**
   * Makes several calls to every healthy node concurrently; `read` gets all results of a node. Returns a value or an
   * error for each, with its URL. Waits as `askMost` does.
   */
  async askAll<T>(
    calls: JsonRpcCall[],
    read: (results: unknown[]) => T,
  ): Promise<{ url: string; answer: T | Error }[]> {
    const method = calls[0]?.method ?? ''
    const nodes = this.#available(method)
    const answers = await this.#collect(method, nodes, node => node.try(calls, read))
    return nodes.map(({ endpoint }, i) => ({ url: endpoint.url, answer: answers[i]! }))
  }

  /**
   * Makes several calls to every node that counts towards the quorum; `read` gets all results of a node. Returns a
   * value or an error for each. Nodes that have failed or refused for a minute are left out. Returns early as `askMost`
   * does.
   */
  askQuorum<T>(calls: JsonRpcCall[], read: (results: unknown[]) => T, decided?: Decided<T>): Promise<(T | Error)[]> {
    return this.#quorum(calls[0]?.method ?? '', node => node.try(calls, read), decided)
  }

  /** Makes a request by another interface of every node that counts towards the quorum. Answers as in `askQuorum`. */
  askQuorumBy<R, T>(
    path: string,
    request: NodeRequest<R>,
    read: (result: R) => T | Promise<T>,
  ): Promise<(T | Error)[]> {
    return this.#quorum(path, node => node.tryBy(path, request, read))
  }

  async #quorum<T>(method: string, ask: Ask<T>, decided?: Decided<T>): Promise<(T | Error)[]> {
    const isLong = (since: number | null) => since !== null && this.#now() - since >= VOTE_TIMEOUT_MS
    const isPenalized = (node: Node) => node.penaltyUntil(method) > this.#now()
    const counting = this.#nodes.filter(node => !isPenalized(node) || !isLong(node.failingSince(method)))
    // Too few decide nothing: those that failed for long may be back.
    const fewest = this.#nodes.length > 2 ? 2 : 1
    const nodes = /* guard: failing-nodes-count */ counting.length >= fewest /* end */ ? counting : this.#nodes
    // A vote that is not decided waits for a node that limits the rate for a moment: it would else find too few nodes
    // again and again.
    const answers = await this.#collect(
      method,
      nodes,
      /* guard: limit-awaited */ node => whenFree(node, ask) /* end */,
      decided,
    )
    const votes = answers.filter((answer, i) => {
      const node = nodes[i]!
      if (answer instanceof ChainUnavailable) return !isLong(node.failingSince(method))
      const refuses = answer instanceof CallRefused || answer instanceof ResponseTooLarge
      node.refusingSince = refuses ? (node.refusingSince ?? this.#now()) : null
      return node.refusingSince === null || !isLong(node.refusingSince)
    })
    return votes.length > 0 ? votes : answers
  }

  #askEachOf<T>(nodes: Node[], calls: JsonRpcCall[], read: (results: unknown[]) => T): Promise<(T | Error)[]> {
    return Promise.all(
      nodes.map(async node => {
        const outcome = await node.try(calls, read)
        return outcome instanceof Error ? outcome : outcome.value
      }),
    )
  }

  /**
   * Queries nodes concurrently until `decided`, up to the call's deadline: a slow node has its vote. One that failed
   * before is waited for only a second once another one has answered: a node that hangs must not hold up the others
   * again and again. A node without an answer gives ChainUnavailable.
   */
  #collect<T>(method: string, nodes: Node[], ask: Ask<T>, decided?: Decided<T>) {
    const answers: (T | Error)[] = nodes.map(() => noAnswer)
    const waiting = new Set(nodes)
    return new Promise<(T | Error)[]>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let isLate = false
      const end = () => {
        clearTimeout(timer)
        resolve([...answers])
      }
      const endIfDone = () => {
        const found = answers.filter(answer => !(answer instanceof Error)) as T[]
        const isDecided = decided !== undefined && found.length > 0 && decided(found, nodes.length)
        // guard: slow-votes
        const left = [...waiting].filter(node => !isLate || node.failingSince(method) === null)
        if (isDecided || left.length === 0) end()
      }
      const report = () => {
        isLate = true
        for (const { endpoint } of waiting) this.#onWait(endpoint.url)
        endIfDone()
      }
      for (const [i, node] of nodes.entries()) {
        ask(node).then(outcome => {
          answers[i] = outcome instanceof Error ? outcome : outcome.value
          waiting.delete(node)
          if (!(outcome instanceof ChainUnavailable)) timer ??= setTimeout(report, HEDGE_MS)
          endIfDone()
        }, reject)
      }
      endIfDone()
    })
  }

  /** The nodes to ask for this, those first that are to be queried first. */
  #available(method: string): Node[] {
    const now = this.#now()
    const until = (node: Node) => node.penaltyUntil(method)
    const healthy = this.#nodes.filter(node => until(node) <= now)
    // If no node is healthy, ask the one whose penalty ends first.
    const rest = this.#nodes.filter(node => until(node) > now).sort((a, b) => until(a) - until(b))
    if (healthy.length === 0) return rest.slice(0, 1)
    return healthy.sort((a, b) => Number(a.lateUntil > now) - Number(b.lateUntil > now))
  }
}
