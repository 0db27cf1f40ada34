import type { BlockId, Payout, Receipt } from '@coffer/chains'
import type { Dropped } from '@coffer/chains/chain.ts'
import { haltReason } from '@coffer/contract/incidents/reasons.ts'
import { nodeName } from '../../outside/open-chain.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import { type Draft, type ExpiringChain, isLive, type Known, type Next, type Sending, type Terms } from './sender.ts'
import type { Attempt, Intent, Open } from './store.ts'

/** Milliseconds for which a transaction is valid. */
const validFor = 120_000
/** A limit is the most that a transaction can cost, in base units of the native coin: a unit of it costs one. */
const unitFee = 1n
/** Stands in a dry run for the block that is named when a transaction is signed. */
const noBlock = { number: 0, hash: `0x${'0'.repeat(64)}` }

/**
 * Sending where transactions have no nonces, name a block and expire. One is signed again, or has ended once it is
 * cancelled, only when its last attempt can be in no block.
 */
export class TronSending implements Sending {
  readonly nonces = null
  readonly #chain: ExpiringChain

  constructor(chain: ExpiringChain) {
    this.#chain = chain
  }

  async terms(): Promise<Terms> {
    return new TronTerms(this.#chain)
  }

  /** What is charged beyond the chain's own limit is part of ours. */
  async limitFor(transfer: Payout, isOutside = false): Promise<bigint> {
    const { expiring } = this.#chain
    return (await expiring.feeLimitFor(transfer, isOutside)) + expiring.beyondLimit
  }

  usualFee(isToken: boolean) {
    return this.#chain.expiring.usualFee(isToken)
  }

  ampleLimit() {
    return this.usualFee(true)
  }

  send(raw: string) {
    return this.#chain.expiring.send(raw)
  }

  certainReceipt(txid: string, block: BlockId) {
    return this.#chain.expiring.certainReceipt(txid, block)
  }

  isExhausted({ isOutOfEnergy }: Receipt): boolean {
    return isOutOfEnergy === true
  }

  async isDead({ txid, expires }: Attempt): Promise<boolean> {
    return /* guard: named-dropped */ (await this.#chain.expiring.whetherDropped(txid, expires!)).isDropped /* end */
  }

  /** Too few other nodes deny the block. */
  async doubtOf({ txid, expires }: Attempt): Promise<string | null> {
    const { isOutvoted, claims } = await this.#chain.expiring.whetherDropped(txid, expires!)
    return isOutvoted || claims.length === 0 ? null : haltReason('expired_undecided', claimants(this.#chain, claims))
  }

  async findLost(attempts: readonly Attempt[]): Promise<'dropped' | null> {
    for (const each of attempts)
      if (!(await this.#chain.expiring.whetherDropped(each.txid, each.expires!)).isDropped) return null
    return 'dropped'
  }
}

class TronTerms implements Terms {
  readonly #chain: ExpiringChain

  constructor(chain: ExpiringChain) {
    this.#chain = chain
  }

  most(gas: bigint, maxFee = unitFee): bigint {
    return gas * maxFee
  }

  usual(gas: bigint): bigint {
    return gas
  }

  isTooLow(): boolean {
    return false
  }

  question(intent: Intent, nonce: number, gas: bigint, now: number): SignRequest {
    return this.#request(intent, nonce, gas, { refBlock: noBlock, timestamp: now * 1_000 })
  }

  /** Says also which nodes keep the last attempt from being signed again, and whether that ends by itself. */
  async next(row: Open, attempts: readonly Attempt[], { now, isStopped }: Known): Promise<Next> {
    const last = attempts.at(-1)
    const isCancelled = row.cancel_reason !== null
    if (last && isLive(last, now)) return isCancelled ? 'wait' : 'again'
    const found = last && (await this.#chain.expiring.whetherDropped(last.txid, last.expires!))
    // guard: expired-dropped
    if (found && !found.isDropped) return this.#waitsFor(found)
    if (isCancelled) return 'end'
    return isStopped ? 'wait' : { draft: () => this.#draft(row, now) }
  }

  #waitsFor({ isOutvoted, claims }: Dropped): Next {
    if (claims.length === 0) return 'wait'
    const why = isOutvoted ? 'expired_claimed' : 'expired_undecided'
    return { reason: haltReason(why, claimants(this.#chain, claims)) }
  }

  /** Names a final block and an expiration. Null while most nodes do not have the same block. */
  async #draft({ intent, nonce, gas }: Open, now: number): Promise<Draft | null> {
    const block = await this.#chain.expiring.reference()
    if (!block) return null
    const refBlock = { number: block.number, hash: block.hash }
    const timestamp = now * 1_000
    const request = this.#request(intent, nonce, gas, { refBlock, timestamp })
    return { kind: 'send', request, gas, max_fee: unitFee, max_tip: 0n, expires: timestamp + validFor }
  }

  #request(intent: Intent, nonce: number, gas: bigint, at: { refBlock: BlockId; timestamp: number }): SignRequest {
    const { definition, expiring } = this.#chain
    const feeLimit = String(gas - expiring.beyondLimit)
    const expiration = at.timestamp + validFor
    return { ...intent, chain: definition.id, nonce, ...at, expiration, feeLimit } as SignRequest
  }
}

const claimants = ({ definition }: ExpiringChain, claims: Dropped['claims']) =>
  claims.map(({ url, block }) => `${nodeName(definition.id, url)}${block === null ? '' : ` (${block})`}`).join(', ')
