import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import type { OutgoingId, OutgoingItem, OutgoingOwners } from '../../owner.ts'
import { SignerRefused, SignerUnavailable } from '../../signer/client.ts'
import { maxUnsignedIntents, type SignerRefusal, type SignRequest } from '../../signer/protocol.ts'
import { reportLastingIncident } from '../chains/lasting-incidents.ts'
import type { FeeTerms, NumberedTransaction } from './sender.ts'
import { signerSilentGauge, temporaryRefusals } from './sign-attempt.ts'
import type { OpenOutgoing, TransactionIntent, Wallet } from './store.ts'
import { takeNonceFor } from './take-nonce.ts'

interface Parts {
  deps: Deps
  terms: FeeTerms
  wallet: Wallet
}

/**
 * The next nonces of the hot wallet, for one pass. The signer dry-runs each before it is taken, because an unsigned
 * nonce holds back all later ones; transactions with a nonce and no signature count towards its limits.
 */
export class NonceAllocator {
  readonly #parts: Parts
  readonly #unsigned: SignRequest[]
  #next: number

  /** `wallet` must have been read before the transactions that are not signed. */
  constructor(parts: Parts, unsigned: readonly OpenOutgoing[]) {
    this.#parts = parts
    this.#next = parts.wallet.next_nonce
    this.#unsigned = unsigned.map(each => this.#requestOf(each))
  }

  /**
   * Has the signer dry-run a transaction: a refusal or null, for each payment of a batch. Null when it does not answer.
   */
  async dryRun(intent: TransactionIntent, gas: bigint): Promise<(SignerRefusal | null)[] | null> {
    const { deps, wallet } = this.#parts
    try {
      if (this.#unsigned.length > maxUnsignedIntents) return null
      const found = await deps.signer.dryRun(this.#requestOf({ intent, gas, nonce: this.#next }), this.#unsigned)
      signerSilentGauge.set(0)
      return found
    } catch (error) {
      // A signer of an older version dry-runs only batches, or wants a block on TRON. It refuses when it has to sign.
      if (error instanceof SignerRefused) return [null]
      if (!(error instanceof SignerUnavailable)) throw error
      signerSilentGauge.set(1)
      deps.log.warn({ chain: wallet.chain_id, reason: error.message }, 'the signer does not answer')
      return null
    }
  }

  /** Whether the signer would sign a transaction of the installation. Reports an exceeded limit to the operator. */
  async allows(intent: TransactionIntent, gas: bigint): Promise<boolean> {
    const refusals = await this.dryRun(intent, gas)
    const refusal = refusals?.find(each => each !== null)
    if (refusal && temporaryRefusals.includes(refusal))
      await tx(this.#parts.deps.pool, c => this.report(c, intent, `signer: ${refusal}`))
    // Other refusals are recorded, and cancelled, when it has to sign.
    return refusals !== null && !temporaryRefusals.includes(refusal!)
  }

  /** Reports to the operator, in a transaction, that something waits for a limit of the signer. */
  async report(
    c: Queryable,
    { kind, token }: Pick<TransactionIntent, 'kind' | 'token'>,
    reason: string,
  ): Promise<void> {
    const { deps, wallet } = this.#parts
    const of = { token: kind === 'gas' ? 'gas' : (token ?? 'native'), reason }
    const detail = { wallet: wallet.address, ...of }
    if (await reportLastingIncident(c, { kind: 'payout_waits', chain_id: wallet.chain_id, of, detail }, deps.clock()))
      deps.log.error({ chain: wallet.chain_id, ...detail }, 'payouts wait for a limit')
  }

  /** Whether this is the nonce of the dry run: no other process took one since the wallet was read. */
  isNext({ nonce }: OutgoingId): boolean {
    return nonce === this.#next
  }

  /**
   * Takes the next nonce for items that are still due; null, and takes none, otherwise, or when another process took
   * it.
   */
  async take(
    owners: OutgoingOwners,
    { intent, gas, items }: { intent: TransactionIntent; gas: bigint; items: readonly OutgoingItem[] },
    isDue = async (_: Queryable, _id: OutgoingId) => true,
  ): Promise<OutgoingId | null> {
    const { deps, wallet } = this.#parts
    const of = { chainId: wallet.chain_id, address: wallet.address, intent, gas, items }
    // guard: nonce-judged
    const id = await takeNonceFor(deps, owners, of, async (c, id) => this.isNext(id) && (await isDue(c, id)))
    if (id) this.#unsigned.push(this.#requestOf({ intent, gas, nonce: this.#next++ }))
    return id
  }

  #requestOf(of: NumberedTransaction): SignRequest {
    const { deps, terms } = this.#parts
    return terms.question(of, deps.clock())
  }
}
