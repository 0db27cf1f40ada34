import { connect, type Socket } from 'node:net'
import type { ChainKind } from '@coffer/chains'
import type { Signed, SignerAnswer, SignerRefusal, SignRequest } from './protocol.ts'

/** The signer will not sign this. Asking again does not help. */
export class SignerRefused extends Error {
  override name = 'SignerRefused'
  refusal: SignerRefusal

  constructor(refusal: SignerRefusal) {
    super(`the signer refused: ${refusal}`)
    this.refusal = refusal
  }
}

/** No answer from the signer. The same request may be sent again: it is signed for the same nonce or not at all. */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

/** Talks to the signer over its socket. Connects on the first call, and again after the connection was lost. */
export class SignerClient {
  readonly #path: string
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, Waiting>()
  #socket: Socket | null = null
  #rest = ''
  #id = 0

  constructor(path: string, timeoutMs = 10_000) {
    this.#path = path
    this.#timeoutMs = timeoutMs
  }

  /** The extended public key of the deposit addresses, for `watchOnly`. */
  xpub(kind: ChainKind): Promise<string> {
    return this.#ask({ op: 'xpub', kind }) as Promise<string>
  }

  /** The hot wallet's address in the stored form. */
  hot(kind: ChainKind): Promise<string> {
    return this.#ask({ op: 'hot', kind }) as Promise<string>
  }

  /**
   * Has a transaction signed. Its nonce must be assigned to this payout, and that committed, before.
   * Rejects with SignerRefused or SignerUnavailable.
   */
  sign(request: SignRequest): Promise<Signed> {
    return this.#ask({ op: 'sign', request }) as Promise<Signed>
  }

  close(): void {
    this.#socket?.destroy()
    this.#lost()
  }

  #ask(message: object): Promise<unknown> {
    const id = ++this.#id
    const socket = this.#connected()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        reject(new SignerUnavailable(`no answer within ${this.#timeoutMs} ms`))
      }, this.#timeoutMs)
      this.#waiting.set(id, { resolve, reject, timer })
      socket.ref()
      socket.write(`${JSON.stringify({ id, ...message })}\n`)
    })
  }

  #connected(): Socket {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    const socket = connect(this.#path)
    this.#rest = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (this.#socket === socket) this.#lost()
    })
    this.#socket = socket
    return socket
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) {
      const answer = JSON.parse(line) as SignerAnswer
      const waiting = this.#waiting.get(answer.id)
      if (!waiting) continue
      this.#waiting.delete(answer.id)
      clearTimeout(waiting.timer)
      if ('refused' in answer) waiting.reject(new SignerRefused(answer.refused))
      else waiting.resolve(answer.result)
    }
    // An idle connection does not keep the process alive.
    if (this.#waiting.size === 0) this.#socket?.unref()
  }

  #lost(): void {
    this.#socket = null
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(new SignerUnavailable('the connection to the signer was lost'))
    }
    this.#waiting.clear()
  }
}
