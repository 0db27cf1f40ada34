import type { ChainKind } from '@coffer/chains'
import type { Random } from '@coffer/chains/fake/random.ts'
import { State } from '@coffer/chains/testing/state.ts'
import { type BlockJson, blockJson, transactionJson } from './sim-json.ts'
import { coinMoved, gasUsed, isSent, nonceOf, type SentTx, sweptBy, tokenBalance } from './sim-own.ts'
import { executed, type Rented, refusalOf, type TronTx } from './sim-own-tron.ts'
import { treasury } from './sim-signer.ts'
import { type Deed, isSender, logsOf, nobody, type SimTx } from './sim-tx.ts'

export type SimBlock = {
  number: number
  hash: string
  parentHash: string
  time: number
  txs: SimTx[]
  /** What addresses hold of the native coin. */
  state: State
  json: BlockJson
}

/** An incoming transfer in a block. */
export type Arrival = { txid: string; token: string | null; ordinal: number; to: string; amount: bigint; time: number }

const noHash = `0x${'0'.repeat(64)}`

/** The canonical chain that simulated nodes serve. Any number of its blocks can be reorganized. */
export class SimChain {
  /** The chain id that its nodes report. */
  readonly id: number
  readonly kind: ChainKind
  readonly #random: Random
  readonly #waiting: SimTx[] = []
  /** Transactions of ours that nodes hold. */
  readonly pool = new Map<string, SentTx>()
  /** By address. */
  readonly rented = new Map<string, Rented>()
  /** All transactions of ours that any node ever got. */
  readonly received = new Map<string, SentTx>()
  /** The wallet that deposits are swept to. */
  readonly depositsGoTo: string
  /** What a unit of gas costs in the next block, without the tip. */
  baseFee = 1_000_000_000n
  /** What TRON charges for a unit of energy, in sun. */
  energyPrice = 100n
  /** Probability that a transaction of ours reverts, and that its token moves nothing. */
  failing = 0
  blocks: SimBlock[] = []
  /** Greatest height ever reached. It bounds the confirmations that any block can have had. */
  peak = 0
  /** Orphaned blocks by hash. Some nodes still serve them. */
  readonly left = new Map<string, SimBlock>()

  /** @param given what the first block holds, which no reorg reaches */
  constructor(
    id: number,
    kind: ChainKind,
    random: Random,
    { time, given, depositsGoTo }: { time: number; given: readonly Deed[]; depositsGoTo: string },
  ) {
    this.depositsGoTo = depositsGoTo
    this.id = id
    this.kind = kind
    this.#random = random
    this.#append(
      this.blocks,
      given.map(each => this.#tx(each)),
      time,
    )
  }

  get head(): SimBlock {
    return this.blocks.at(-1)!
  }

  /**
   * Mines a block with `deeds` and pending transactions: all of them with `all`, otherwise each with probability 0.7.
   */
  mine(time: number, deeds: readonly Deed[] = [], all = false): void {
    const ready: SimTx[] = []
    for (const tx of this.#waiting.splice(0)) {
      if (all || this.#random.chance(0.7)) ready.splice(this.#random.below(ready.length + 1), 0, tx)
      else this.#waiting.push(tx)
    }
    for (const deed of deeds) ready.splice(this.#random.below(ready.length + 1), 0, this.#tx(deed))
    const ours = this.kind === 'tron' ? this.#oursOnTron(ready, all) : this.#ours(all, this.baseFee)
    this.#append(this.blocks, [...ready, ...ours], time)
  }

  /**
   * Takes transactions of ours into a block: the next nonces of each wallet whose fee suffices. One of several with a
   * nonce.
   */
  #ours(all: boolean, baseFee: bigint): SentTx[] {
    const taken: SentTx[] = []
    const sofar = () => [...this.blocks, { txs: taken }]
    for (const from of new Set([...this.pool.values()].map(tx => tx.from))) {
      for (;;) {
        const nonce = nonceOf(from, sofar())
        const fits = [...this.pool.values()].filter(
          tx => tx.from === from && tx.nonce === nonce && tx.maxFee >= baseFee + tx.tip && this.#pays(tx, sofar()),
        )
        if (fits.length === 0 || (!all && !this.#random.chance(0.7))) break
        const tx = fits[this.#random.below(fits.length)]!
        const isFailing = this.#random.chance(this.failing)
        const lacks = tx.token !== null && tokenBalance(tx.token, from, sofar()) < tx.amount
        const isMute = isFailing && tx.token !== null && this.#random.chance(0.5)
        const failed = failedBefore(tx)
        taken.push({
          ...tx,
          ...(tx.sweeps && sweptBy(tx, sofar())),
          price: baseFee + tx.tip,
          reverted: lacks || (isFailing && !isMute),
          mute: isMute,
          ...(failed && !lacks && failed),
        })
        for (const each of this.pool.values())
          if (each.from === from && each.nonce <= nonce) this.pool.delete(each.txid)
      }
    }
    return taken
  }

  /** Takes transactions of ours into a block of TRON. */
  #oursOnTron(others: readonly SimTx[], all: boolean): SentTx[] {
    const taken: SentTx[] = []
    for (const tx of [...this.pool.values()] as TronTx[]) {
      const before = [...this.blocks, { txs: [...others, ...taken] }]
      const isRefused = refusalOf(tx, this) !== null
      if (!isRefused && !all && !this.#random.chance(0.7)) continue
      this.pool.delete(tx.txid)
      const balanceOf = (address: string) => this.balanceOf(address, before)
      const rentedTo = (address: string) => this.rentedTo(address)
      const { energyPrice, failing } = this
      const conditions = { energyPrice, failing, random: this.#random, balanceOf, rentedTo }
      const done = isRefused ? null : executed(tx, before, conditions)
      if (done) taken.push({ ...done, ...(!done.reverted && failedBefore(tx)) })
    }
    return taken
  }

  #pays({ from, token, amount, maxFee }: SentTx, blocks: readonly { txs: readonly SimTx[] }[]): boolean {
    return this.balanceOf(from, blocks) >= gasUsed * maxFee + (token === null ? amount : 0n)
  }

  /** Energy that is rented for an address now. */
  rentedTo(address: string): bigint {
    const found = this.rented.get(address)
    return found && found.until > this.head.time ? found.energy : 0n
  }

  /** Returns the native coin balance of an address after our own transactions. */
  balanceOf(address: string, blocks: readonly { txs: readonly SimTx[] }[] = this.blocks): bigint {
    return this.coinOf(address, blocks) + coinMoved(address, blocks)
  }

  /**
   * Replaces the last `depth` blocks with `length` others. Each orphaned transaction is lost with probability `lost`,
   * otherwise becomes pending again, as do ours; those of final blocks are forgotten by all nodes with probability 0.5.
   * @param final of a deep reorg: the last block that was final
   */
  reorg(depth: number, length: number, lost: number, now: number, final?: number): void {
    const orphaned = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    for (const block of orphaned) this.left.set(block.hash, block)
    for (const [tx, number] of orphaned.flatMap(block => block.txs.map(tx => [tx, block.number] as const))) {
      if (isSent(tx)) {
        const isFinal = final !== undefined && number <= final
        if (!isFinal || this.#random.chance(0.5))
          this.pool.set(tx.txid, { ...tx, wasFinal: isFinal || tx.wasFinal === true })
      }
      // What a stranger swept depends on the balance then: nobody calls Sweeper again.
      else if (!isForeignSweep(tx) && !this.#random.chance(lost)) this.#waiting.push(tx)
    }
    for (let i = 0; i < length; i++) this.mine(orphaned[i]?.time ?? now)
  }

  /** Returns a fork that replaces the last `depth` blocks with `length` others and contains `deeds`. */
  forked(depth: number, length: number, deeds: readonly Deed[]): SimBlock[] {
    const blocks = this.blocks.slice(0, Math.max(1, this.blocks.length - depth))
    const { time } = blocks.at(-1)!
    for (let i = 0; i < length; i++)
      this.#append(blocks, i === 0 ? deeds.map(each => this.#tx(each)) : [], time + i + 1)
    return blocks
  }

  /** Reports whether a transaction is pending. */
  isWaiting(txid: string): boolean {
    return this.#waiting.some(tx => tx.txid === txid)
  }

  /** Reports whether coin for an address is pending. */
  isCoinWaiting(address: string): boolean {
    return this.#waiting.some(tx => tx.kind !== 'tokens' && tx.kind !== 'sent' && tx.to === address)
  }

  /** Returns the transfers to addresses that satisfy `isOurs`, without internal transactions. */
  arrivals(isOurs: (address: string) => boolean, upTo = this.head.number): Arrival[] {
    return this.blocks.slice(0, upTo + 1).flatMap(({ txs, time }) => txs.flatMap(tx => arrivalsOf(tx, time, isOurs)))
  }

  /** Returns the native coin that payers sent to an address, internal transactions included. */
  coinOf(address: string, blocks: readonly { txs: readonly SimTx[] }[] = this.blocks): bigint {
    return coinCame(address, blocks)
  }

  #tx(deed: Deed): SimTx {
    return { ...deed, ...transactionJson(deed, this.#random.below(2 ** 31), this.kind) }
  }

  #append(blocks: SimBlock[], txs: SimTx[], time: number, baseFee = this.baseFee): void {
    const before = blocks.at(-1)
    const at = {
      number: before ? before.number + 1 : 0,
      parentHash: before?.hash ?? noHash,
      time: Math.max(time, (before?.time ?? 0) + 1),
      baseFee,
    }
    const state = stateAfter(before?.state ?? null, txs)
    const json = blockJson(
      { ...at, stateRoot: state.root, kind: this.kind },
      txs,
      this.#random.below(4),
      this.#random.hash(),
    )
    blocks.push({ ...at, hash: String(json.header.hash), txs, state, json })
    if (blocks === this.blocks) this.peak = Math.max(this.peak, this.head.number)
  }
}

/** Returns what addresses hold of the native coin after a block of these transactions. */
function stateAfter(before: State | null, txs: readonly SimTx[]): State {
  const touched = new Set(
    txs.flatMap(tx =>
      tx.kind === 'tokens' ? [] : tx.kind === 'inside' || tx.from === undefined ? [tx.to] : [tx.from, tx.to],
    ),
  )
  if (before && touched.size === 0) return before
  const balances = new Map(before?.balances)
  for (const address of touched)
    balances.set(address, (balances.get(address) ?? 0n) + coinCame(address, [{ txs }]) + coinMoved(address, [{ txs }]))
  return new State(balances)
}

/**
 * Returns the native coin that others than our signer sent to an address in some blocks, internal transactions
 * included, less what the treasury sent.
 */
function coinCame(address: string, blocks: readonly { txs: readonly SimTx[] }[]): bigint {
  const came = (tx: SimTx) => {
    if ((tx.kind !== 'coin' && tx.kind !== 'inside') || tx.reverted) return 0n
    return (tx.to === address ? tx.amount : 0n) - (tx.kind === 'coin' && tx.from === address ? tx.amount : 0n)
  }
  return blocks.reduce((sum, { txs }) => txs.reduce((more, tx) => more + came(tx), sum), 0n)
}

/**
 * How a transaction failed in a final block that the chain left; it fails so again. Nobody can keep the bytes from
 * being mined before what replaces them, and then it would pay what another one has paid.
 */
const failedBefore = ({ wasFinal, reverted = false, mute = false }: SentTx) =>
  wasFinal && (reverted || mute) ? { reverted, mute } : undefined

const isForeignSweep = (tx: SimTx) =>
  tx.kind === 'tokens' &&
  tx.transfers.some(({ from }) => from !== undefined && from !== treasury && from !== nobody && !isSender(from))

function arrivalsOf(tx: SimTx, time: number, isOurs: (address: string) => boolean): Arrival[] {
  const { txid } = tx
  if (tx.kind === 'sent') return []
  if (tx.kind === 'coin' && !tx.reverted && isOurs(tx.to))
    return [{ txid, token: null, ordinal: 0, to: tx.to, amount: tx.amount, time }]
  return logsOf(tx).flatMap(({ token, to, amount }, ordinal) =>
    isOurs(to) && amount > 0n ? [{ txid, token, ordinal, to, amount, time }] : [],
  )
}
