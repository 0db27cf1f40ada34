import { connect, type Socket } from 'node:net'
import type { ChainKind } from '@coffer/chains'
import type { ProofStatement } from '@coffer/core'
import type { Exposure } from './exposure.ts'
import { collectUnreleasedPayments, computeMaxFee, computeOutgoingAmount, limitPurposeOf } from './policy.ts'
import type { ReservePageRequest, SignedProofText } from './proof.ts'
import type {
  ReleaseCheckRequest,
  ReleaseSite,
  SignedRawTransaction,
  SignerAnswer,
  SignerRefusal,
  SignRequest,
  Treasury,
  UnsignedIntent,
} from './protocol.ts'

/** The signer refuses the request. Retrying does not help. */
export class SignerRefused extends Error {
  override name = 'SignerRefused'
  refusal: SignerRefusal

  constructor(refusal: SignerRefusal) {
    super(`the signer refused: ${refusal}`)
    this.refusal = refusal
  }
}

/** The signer did not answer. Retrying is safe: the signer signs a nonce for one payout only. */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}

/** The message that requests a dry run. */
export const buildDryRunMessage = (request: SignRequest, before: readonly SignRequest[]) => ({
  op: 'dry_run' as const,
  request,
  before: before.map((each): UnsignedIntent => {
    const amount = String(computeOutgoingAmount(each))
    const fee = String(computeMaxFee(each))
    const unreleased = collectUnreleasedPayments(each).map(([to, units]): [string, string] => [to, units])
    return { nonce: each.nonce, purpose: limitPurposeOf(each), amount, fee, unreleased }
  }),
})

type Pending = { resolve: (result: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

/** Client of the signer's socket. Connects on the first call and reconnects after a lost connection. */
export class SignerClient {
  readonly #path: string
  readonly #timeoutMs: number
  readonly #pending = new Map<number, Pending>()
  #socket: Socket | null = null
  #rest = ''
  #id = 0

  constructor(path: string, timeoutMs = 10_000) {
    this.#path = path
    this.#timeoutMs = timeoutMs
  }

  /** The extended public key of the deposit addresses, for `watchOnly`. */
  xpub(kind: ChainKind): Promise<string> {
    return this.#call({ op: 'xpub', kind }) as Promise<string>
  }

  /** The hot wallet's address, in stored form. */
  hot(kind: ChainKind): Promise<string> {
    return this.#call({ op: 'hot', kind }) as Promise<string>
  }

  /** The address of the key that sweeps, in stored form. */
  sweeper(kind: ChainKind): Promise<string> {
    return this.#call({ op: 'sweeper', kind }) as Promise<string>
  }

  /** Whether the signer holds the keys of deposit addresses: false in vault mode. */
  holdsDeposits(kind: ChainKind): Promise<boolean> {
    return this.#call({ op: 'holdsDeposits', kind }) as Promise<boolean>
  }

  /** The treasury of a chain; null where the policy names none, so that deposits are swept to the hot wallet. */
  async treasury(chain: string): Promise<Treasury | null> {
    try {
      return (await this.#call({ op: 'treasury', chain })) as Treasury | null
    } catch (error) {
      // A signer of an older version has none.
      if (error instanceof SignerRefused) return null
      throw error
    }
  }

  /** The sites of the passkeys that release payouts; none of chains that need no release. */
  async releaseSites(): Promise<ReleaseSite[]> {
    try {
      return (await this.#call({ op: 'releaseSites' })) as ReleaseSite[]
    } catch (error) {
      // A signer of an older version does not say.
      if (error instanceof SignerRefused) return []
      throw error
    }
  }

  /** What whoever controls this process could take, by the policy as it stands. */
  exposure(): Promise<Exposure> {
    return this.#call({ op: 'exposure' }) as Promise<Exposure>
  }

  /**
   * Requests a signature. The caller must have assigned the nonce to this payout and committed that first.
   * @throws SignerRefused, SignerUnavailable
   */
  sign(request: SignRequest): Promise<SignedRawTransaction> {
    return this.#call({ op: 'sign', request }) as Promise<SignedRawTransaction>
  }

  /**
   * Reports whether a request would be refused or, of a batch, which of its payments, those before each included in the
   * limits: a refusal or null for each. `before` has nonces already, and may have no signature. Nothing is signed or
   * recorded.
   * @throws SignerRefused, SignerUnavailable
   */
  dryRun(request: SignRequest, before: readonly SignRequest[]): Promise<(SignerRefusal | null)[]> {
    return this.#call(buildDryRunMessage(request, before)) as Promise<(SignerRefusal | null)[]>
  }

  /**
   * Reports whether a passkey of the signer's policy released a payout, by a release that was not used up.
   * @throws SignerRefused, SignerUnavailable
   */
  isReleased(payout: ReleaseCheckRequest): Promise<boolean> {
    return this.#call({ op: 'released', payout }) as Promise<boolean>
  }

  /**
   * Requests a signature of a page of addresses, which the signer derives itself.
   * @throws SignerRefused, SignerUnavailable
   */
  proveAddresses(proof: ReservePageRequest): Promise<SignedProofText> {
    return this.#call({ op: 'prove_addresses', proof }) as Promise<SignedProofText>
  }

  /**
   * Requests a signature of a statement. Another one of the same id is refused.
   * @throws SignerRefused, SignerUnavailable
   */
  proveStatement(proof: ProofStatement): Promise<SignedProofText> {
    return this.#call({ op: 'prove_statement', proof }) as Promise<SignedProofText>
  }

  close(): void {
    this.#socket?.destroy()
    this.#disconnected()
  }

  #call(message: object): Promise<unknown> {
    const id = ++this.#id
    const socket = this.#connected()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id)
        reject(new SignerUnavailable(`no answer within ${this.#timeoutMs} ms`))
      }, this.#timeoutMs)
      this.#pending.set(id, { resolve, reject, timer })
      socket.ref()
      socket.write(`${JSON.stringify({ id, ...message })}\n`)
    })
  }

  #connected(): Socket {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    const socket = connect(this.#path)
    this.#rest = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (this.#socket === socket) this.#disconnected()
    })
    this.#socket = socket
    return socket
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) {
      const answer = JSON.parse(line) as SignerAnswer
      const pending = this.#pending.get(answer.id)
      if (!pending) continue
      this.#pending.delete(answer.id)
      clearTimeout(pending.timer)
      if ('refused' in answer) pending.reject(new SignerRefused(answer.refused))
      else pending.resolve(answer.result)
    }
    // An idle connection must not keep the process alive.
    if (this.#pending.size === 0) this.#socket?.unref()
  }

  #disconnected(): void {
    this.#socket = null
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer)
      reject(new SignerUnavailable('the connection to the signer was lost'))
    }
    this.#pending.clear()
  }
}
