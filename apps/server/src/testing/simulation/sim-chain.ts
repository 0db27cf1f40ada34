import { bloomBits } from '@coffer/chains/evm/bloom.ts'
import type { Random } from '@coffer/chains/fake/random.ts'
import { TRANSFER } from '@coffer/chains/jsonrpc/logs.ts'

/** A token transfer. `amount` is debited from the payer; a fee-on-transfer token keeps `fee` of it. */
export type TokenTransfer = { token: string; to: string; amount: bigint; fee?: bigint }

/** Effect of a transaction: token transfers, a native coin transfer, or a native coin transfer made by a contract call. */
export type Deed =
  | { kind: 'tokens'; transfers: TokenTransfer[]; reverted?: boolean }
  | { kind: 'coin' | 'inside'; to: string; amount: bigint; reverted?: boolean }

export type SimTx = Deed & { txid: string }

/** A contract's Transfer log, without block and index. */
export type SimLog = { token: string; from: string; to: string; amount: bigint }

export type SimBlock = {
  number: number
  hash: string
  parentHash: string
  time: number
  txs: SimTx[]
  /** Index of the first log. Unrelated logs precede it; their number changes in a reorg. */
  firstLog: number
}

/** An incoming transfer in a block. */
export type Arrival = { txid: string; token: string | null; ordinal: number; to: string; amount: bigint; time: number }

export const payer = '0x00000000000000000000000000000000000000aa'
const collector = '0x00000000000000000000000000000000000000fe'
const noHash = `0x${'0'.repeat(64)}`

/** Returns the logs of a transaction in order. */
export function logsOf(tx: SimTx): SimLog[] {
  if (tx.kind !== 'tokens' || tx.reverted) return []
  return tx.transfers.flatMap(({ token, to, amount, fee = 0n }) => [
    { token, from: payer, to, amount: amount - fee },
    ...(fee > 0n ? [{ token, from: payer, to: collector, amount: fee }] : []),
  ])
}

/** The canonical chain that simulated nodes serve. Any number of its blocks can be reorganized. */
export class SimChain {
  readonly #random: Random
  readonly #waiting: SimTx[] = []
  blocks: SimBlock[] = []
  /** Greatest height ever reached. It bounds the confirmations that any block can have had. */
  peak = 0
  /** Orphaned blocks by hash. Some nodes still serve them. */
  readonly left = new Map<string, SimBlock>()

  constructor(random: Random, time: number) {
    this.#random = random
    this.#append(this.blocks, [], time)
  }

  get head(): SimBlock {
    return this.blocks.at(-1)!
  }

  /** Mines a block with `deeds` and pending transactions: all of them with `all`, otherwise each with probability 0.7. */
  mine(time: number, deeds: readonly Deed[] = [], all = false): void {
    const ready: SimTx[] = []
    for (const tx of this.#waiting.splice(0)) {
      if (all || this.#random.chance(0.7)) ready.splice(this.#random.below(ready.length + 1), 0, tx)
      else this.#waiting.push(tx)
    }
    for (const deed of deeds) ready.splice(this.#random.below(ready.length + 1), 0, this.#tx(deed))
    this.#append(this.blocks, ready, time)
  }

  /**
   * Replaces the last `depth` blocks with `length` others. Each orphaned transaction is lost with probability `lost`,
   * otherwise becomes pending again.
   */
  reorg(depth: number, length: number, lost: number, now: number): void {
    const gone = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    for (const block of gone) this.left.set(block.hash, block)
    for (const tx of gone.flatMap(block => block.txs)) if (!this.#random.chance(lost)) this.#waiting.push(tx)
    for (let i = 0; i < length; i++) this.mine(gone[i]?.time ?? now)
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

  /** Returns the transfers to addresses that satisfy `isOurs`, without internal transactions. */
  arrivals(isOurs: (address: string) => boolean, upTo = this.head.number): Arrival[] {
    return this.blocks.slice(0, upTo + 1).flatMap(({ txs, time }) => txs.flatMap(tx => arrivalsOf(tx, time, isOurs)))
  }

  /** Returns the native coin balance of an address, internal transactions included. */
  coinOf(address: string, blocks = this.blocks): bigint {
    const came = (tx: SimTx) => (tx.kind !== 'tokens' && !tx.reverted && tx.to === address ? tx.amount : 0n)
    return blocks.reduce((sum, { txs }) => txs.reduce((more, tx) => more + came(tx), sum), 0n)
  }

  #tx(deed: Deed): SimTx {
    return { ...deed, txid: this.#random.hash() }
  }

  #append(blocks: SimBlock[], txs: SimTx[], time: number): void {
    const before = blocks.at(-1)
    blocks.push({
      number: before ? before.number + 1 : 0,
      hash: this.#random.hash(),
      parentHash: before?.hash ?? noHash,
      time: Math.max(time, (before?.time ?? 0) + 1),
      txs,
      firstLog: this.#random.below(50),
    })
    if (blocks === this.blocks) this.peak = Math.max(this.peak, this.head.number)
  }
}

function arrivalsOf(tx: SimTx, time: number, isOurs: (address: string) => boolean): Arrival[] {
  const { txid } = tx
  if (tx.kind === 'coin' && !tx.reverted && isOurs(tx.to))
    return [{ txid, token: null, ordinal: 0, to: tx.to, amount: tx.amount, time }]
  const places = new Map<string, number>()
  return logsOf(tx).flatMap(({ token, to, amount }) => {
    const ordinal = places.get(token) ?? 0
    places.set(token, ordinal + 1)
    return isOurs(to) && amount > 0n ? [{ txid, token, ordinal, to, amount, time }] : []
  })
}

const blooms = new WeakMap<SimBlock, string>()

/** Returns the logs bloom of a block in hexadecimal. */
export function bloomOf(block: SimBlock): string {
  const known = blooms.get(block)
  if (known) return known
  const digits = new Array<number>(514).fill(0)
  for (const { token } of block.txs.flatMap(logsOf))
    for (const hex of [token, TRANSFER]) for (const [digit, bit] of bitsOf(hex)) digits[digit]! |= bit
  const text = `0x${digits
    .slice(2)
    .map(each => each.toString(16))
    .join('')}`
  blooms.set(block, text)
  return text
}

const known = new Map<string, ReturnType<typeof bloomBits>>()
function bitsOf(hex: string) {
  const bits = known.get(hex) ?? bloomBits(hex)
  known.set(hex, bits)
  return bits
}
