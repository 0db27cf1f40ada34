import type {
  AccountChain,
  BlockId,
  BlockRef,
  RangeScan,
  Receipt,
  RecentBalances,
  Scan,
  Transfer,
  TransferFilter,
} from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { BlockOrphaned } from '../errors.ts'
import { type Faults, injectCallFault, injectFault, NO_FAULTS } from './faults.ts'
import { type FakeBlock, FakeLedger, type FakeMovement, type FakeTransaction } from './ledger.ts'
import { createSeededRandom, type Random } from './random.ts'

/** Gas used by every transaction, and its price in base units. */
const GAS = 21_000n
const GAS_PRICE = 10n

export type FakeChainOptions = {
  definition: ChainDefinition
  seed: number
  /** Time of the first block in Unix seconds. */
  time?: number
  /** Called on every simulated timeout, so that a simulation can advance its clock. */
  onHang?: () => void
}

/** What happens to the transactions of reorged blocks: they are lost, or mined again in the next block. */
export type DroppedTransactionFate = 'lost' | 'again'

/** An in-memory chain. Deterministic: the same seed and calls give the same blocks, faults and results. */
export class FakeChain implements AccountChain {
  readonly definition: ChainDefinition
  readonly isVerified = true
  /** May be changed at any time. */
  faults: Faults = { ...NO_FAULTS }
  readonly #random: Random
  readonly #ledger = new FakeLedger()
  readonly #blocks: FakeBlock[] = []
  readonly #onHang: () => void
  readonly #pool: FakeTransaction[] = []

  constructor({ definition, seed, time = 1_700_000_000, onHang = () => {} }: FakeChainOptions) {
    this.definition = definition
    this.#random = createSeededRandom(seed)
    this.#onHang = onHang
    this.#append([], time)
  }

  /**
   * Mines a block with the pending transactions and these, each a list of transfers. With `status` reverted, they are
   * in the block and move nothing.
   * @returns the ids of these transactions
   */
  mine(transactions: FakeMovement[][] = [], status: FakeTransaction['status'] = 'success'): string[] {
    const added = transactions.map(movements => ({
      txid: this.#random.hash(),
      status,
      movements,
    }))
    this.#append([...this.#pool.splice(0), ...added])
    return added.map(({ txid }) => txid)
  }

  /** Replaces the last `depth` blocks by `length` others. */
  reorg(depth: number, dropped: DroppedTransactionFate, length = depth): void {
    const orphaned = this.#blocks.splice(Math.max(1, this.#blocks.length - depth))
    for (const block of orphaned.toReversed()) this.#ledger.undo(block)
    if (dropped === 'again') this.#pool.push(...orphaned.flatMap(block => block.transactions))
    for (let i = 0; i < length; i++) this.mine()
  }

  async head(): Promise<BlockRef> {
    this.#injectFault()
    return refOf(this.#seen().at(-1)!)
  }

  newestHead(): Promise<BlockRef> {
    return this.head()
  }

  async blockAt(number: number): Promise<BlockRef | null> {
    this.#injectFault()
    const block = this.#seen()[number]
    return block ? refOf(block) : null
  }

  async transfersIn(block: BlockId, filter: TransferFilter): Promise<Scan> {
    this.#injectFault()
    injectCallFault('orphaned', this.faults, this.#random)
    const found = this.#blocks[block.number]
    if (found?.hash !== block.hash) throw new BlockOrphaned('unknown block')
    return this.#scan([found], filter)
  }

  async transfersRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    this.#injectFault()
    injectCallFault('tooLarge', this.faults, this.#random)
    const blocks = this.#seen().slice(from, to + 1)
    if (blocks.length !== to - from + 1) throw new BlockOrphaned('the range is not complete')
    return { ...this.#scan(blocks, filter), first: refOf(blocks[0]!), last: refOf(blocks.at(-1)!) }
  }

  async agreed(): Promise<Transfer[] | null> {
    throw new Error('the fake is verified')
  }

  identifyAgain(): void {}

  async agreesOn(block: BlockId, depth = 1): Promise<boolean> {
    this.#injectFault()
    return this.#blocks[block.number]?.hash === block.hash && block.number + depth <= this.#blocks.length
  }

  async isReorgedOut(block: BlockId): Promise<boolean> {
    this.#injectFault()
    const found = this.#blocks[block.number]
    return found !== undefined && found.hash !== block.hash
  }

  async receipt(txid: string): Promise<Receipt | null> {
    this.#injectFault()
    const block = this.#seen().findLast(({ transactions }) => transactions.some(it => it.txid === txid))
    if (!block) return null
    const { status, movements } = block.transactions.find(it => it.txid === txid)!
    const transfers = movements.flatMap(({ token, ...each }) =>
      token && status === 'success' ? [{ token, ...each }] : [],
    )
    const cost = { gasUsed: GAS, gasPrice: GAS_PRICE, fee: GAS * GAS_PRICE }
    return { txid, blockNumber: block.number, blockHash: block.hash, status, ...cost, transfers }
  }

  async placesOf(txid: string): Promise<BlockId[]> {
    const receipt = await this.receipt(txid)
    return receipt ? [{ number: receipt.blockNumber, hash: receipt.blockHash }] : []
  }

  async balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    this.#injectFault()
    if (!block) return this.#ledger.balance(token, address)
    if (this.#blocks[block.number]?.hash !== block.hash) throw new BlockOrphaned('unknown block')
    const then = new FakeLedger()
    for (const past of this.#blocks.slice(0, block.number + 1)) then.apply(past)
    return then.balance(token, address)
  }

  certainBalances(token: string | null, addresses: readonly string[], block?: BlockId): Promise<bigint[]> {
    return Promise.all(addresses.map(address => this.balanceOf(token, address, block)))
  }

  async recentBalances(addresses: readonly string[]): Promise<RecentBalances> {
    const block = await this.head()
    return { block, oldest: block.number, slack: 0, balances: await this.certainBalances(null, addresses, block) }
  }

  #injectFault(): void {
    injectFault(this.faults, this.#random, this.#onHang)
  }

  /** Returns the blocks that the answering node has; it may lag. */
  #seen(): FakeBlock[] {
    const behind = this.faults.behind + (this.faults.lag > 0 ? this.#random.below(this.faults.lag + 1) : 0)
    return behind === 0 ? this.#blocks : this.#blocks.slice(0, Math.max(1, this.#blocks.length - behind))
  }

  #append(transactions: FakeTransaction[], time?: number): void {
    const before = this.#blocks.at(-1)
    const block: FakeBlock = {
      number: this.#blocks.length,
      hash: this.#random.hash(),
      parentHash: before?.hash ?? `0x${'0'.repeat(64)}`,
      time: time ?? before!.time + Math.max(1, Math.round(this.definition.blockTime)),
      transactions,
      firstLog: this.#random.below(50),
    }
    this.#blocks.push(block)
    this.#ledger.apply(block)
  }

  #scan(blocks: FakeBlock[], filter: TransferFilter): Scan {
    const transfers: Transfer[] = []
    let scanned = 0
    for (const block of blocks) {
      for (const transfer of transfersOf(this.definition.id, block)) {
        const watched = transfer.token === null ? filter.native : filter.tokens.includes(transfer.token)
        if (!watched) continue
        scanned++
        if (transfer.amount > 0n && filter.isOurs(transfer.to)) transfers.push(transfer)
      }
    }
    return { transfers, scanned }
  }
}

function transfersOf(chain: string, block: FakeBlock): Transfer[] {
  let logIndex = block.firstLog
  let native = 0
  return block.transactions.flatMap(({ txid, status, movements }) => {
    if (status === 'reverted') return []
    let coins = 0
    let logs = 0
    return movements.map(({ token, from, to, amount }) => {
      const ordinal = token === null ? coins++ : logs++
      const place = token === null ? --native : logIndex++
      const { number, hash, time } = block
      return {
        chain,
        txid,
        blockNumber: number,
        blockHash: hash,
        blockTime: time,
        logIndex: place,
        ordinal,
        token,
        from,
        to,
        amount,
      }
    })
  })
}

function refOf({ number, hash, parentHash, time }: FakeBlock): BlockRef {
  return { number, hash, parentHash, time }
}
