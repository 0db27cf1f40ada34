import type { BlockId, Chain, FeeMarket, Payout, Receipt, RecentBalances, SendResult } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { CallRefused, ChainUnavailable, isChainError } from '../errors.ts'
import { parseHexBytes } from '../hex.ts'
import { findMajorityAnswer, findMajorityBalance, hasMajority, isRefusal } from '../nodes/agree.ts'
import { type AnswerDifference, type Nodes, type NodesOptions, nullIfMissing, ObjectMissing } from '../nodes/nodes.ts'
import { enableFastChecksums } from './address.ts'
import { areTooFewVotes, balancesPerCall, fetchBalanceVotes, selectAddressVotes } from './balances.ts'
import { EvmBatches } from './batches.ts'
import { Blocks } from './blocks.ts'
import { encodeQuantity, transferData } from './calls.ts'
import { type BlockReader, describeUnverifiable, verifiedReader } from './content.ts'
import { fetchDataFee, fetchDataGas } from './data-fee.ts'
import { decodeBigInt } from './decoding.ts'
import { addGasMargin, estimateGas } from './estimate.ts'
import { fetchFeeMarket } from './fees.ts'
import { JsonRpcChain } from './json-rpc-chain.ts'
import { createPartlyRootedReader } from './partly-rooted.ts'
import { provenBalances } from './proofs.ts'
import { isAlreadyKnownMessage } from './refusals.ts'
import { readBigInt, readHash, readNumber, readReceipt } from './responses.ts'
import { readSurcharge, withSurcharge } from './surcharge.ts'
import { txidOf } from './transfer.ts'
import { EvmWatch } from './watch.ts'

/** Gas of a native transfer to a wallet. It is exact, so no margin is added; a sweep depends on that. */
const PLAIN_GAS = 21_000n
/** Bytes of a transfer of a token, without its signature, and some more. */
const TRANSFER_BYTES = 250
/**
 * How many blocks below the head one is looked for that most nodes have: nodes differ by seconds, which are many blocks
 * of some chains.
 */
const AGREED_BACK = [0, 1, 4, 16]
/** Most balances that are proven in one comparison; beyond, agreement decides. A proof is a request, and 4 kB. */
const provenMax = 2_000

/** An EVM chain, read through Ethereum's JSON-RPC. */
export class EvmChain extends JsonRpcChain implements Chain {
  readonly batches: EvmBatches
  readonly #onDiffers: (url: string, difference: AnswerDifference) => void

  constructor(definition: ChainDefinition, options: NodesOptions) {
    const watch = (nodes: Nodes, blocks: Blocks, reading: BlockReader) =>
      new EvmWatch(definition.id, { nodes, blocks, reading }, options.onDiffers)
    const verifies = (definition.roots ?? true) ? { reading: verifiedReader, unverifiable: describeUnverifiable } : null
    super(definition, options, { verifies, unverified: createPartlyRootedReader(definition.unrootedEvery) }, watch)
    this.batches = new EvmBatches(this.nodes, this.definition)
    this.#onDiffers = options.onDiffers ?? (() => {})
    // Each credit shows addresses, in its callbacks and among the known ones.
    enableFastChecksums().catch(() => {})
  }

  async fees(): Promise<FeeMarket> {
    return fetchFeeMarket(this.nodes, this.definition, await this.#verifiedBaseFee(), this.#onDiffers)
  }

  /** The base fee of the newest block that a quorum has; null where headers are not verified. */
  async #verifiedBaseFee(): Promise<bigint | null> {
    if (!this.isVerified) return null
    const { number } = await this.head()
    // One node may be ahead of the others, one behind, and another may have made up its head.
    for (const back of AGREED_BACK) {
      const height = Math.max(0, number - back)
      const header = /* guard: base-fee-agreed */ await this.blocks.agreedAt(height) /* end */
      if (header) return header.baseFee
    }
    throw new ChainUnavailable('nodes do not agree on the newest block')
  }

  async gasFor(payout: Payout): Promise<bigint> {
    const { from, token, to, amount } = payout
    const call = token
      ? { from, to: token, data: transferData(to, amount) }
      : { from, to, value: encodeQuantity(amount) }
    const used = await estimateGas(this.nodes, this.definition, call)
    return used === PLAIN_GAS ? used : addGasMargin(used)
  }

  dataFee(gas: bigint, bytes = TRANSFER_BYTES): Promise<bigint> {
    return fetchDataFee(this.nodes, this.definition, { gas, bytes })
  }

  dataGas(): Promise<bigint> {
    return fetchDataGas(this.nodes, this.definition)
  }

  async nonce(address: string): Promise<number> {
    const call = { method: 'eth_getTransactionCount', params: [address, 'latest'] }
    // The highest that most nodes have reached.
    const reached = (found: number[], votes: number) =>
      found
        .toSorted((a, b) => b - a)
        .find(nonce => hasMajority(found.filter(each => each >= nonce).length, votes, this.nodes.size))
    const isDecided = (found: number[], queried: number) => reached(found, queried) === Math.max(...found)
    const votes = await this.nodes.askQuorum([call], ([nonce]) => readNumber(nonce), isDecided)
    const nonce = reached(
      votes.filter(vote => typeof vote === 'number'),
      votes.length,
    )
    // guard: nonce-agreed
    if (nonce === undefined) throw votes.find(vote => vote instanceof Error) ?? new ChainUnavailable('no nonce')
    return nonce
  }

  async isUnknown(txid: string): Promise<boolean> {
    const answers = await this.nodes.askEach('eth_getTransactionReceipt', [txid], readReceipt)
    const { size } = this.nodes
    return (
      answers.every(each => each instanceof Error) &&
      hasMajority(answers.filter(each => each instanceof ObjectMissing).length, size, size)
    )
  }

  async send(raw: string): Promise<SendResult> {
    const txid = txidOf(raw)
    const answers = await this.nodes.askEach('eth_sendRawTransaction', [raw], readHash)
    const accepted = answers.some(answer =>
      answer instanceof Error ? isAlreadyKnownMessage(answer.message) : answer === txid,
    )
    const failure = answers.find(answer => answer instanceof Error)
    return {
      txid,
      accepted,
      reason: accepted ? null : (failure?.message ?? 'the node returned another transaction id'),
    }
  }

  receipt(txid: string): Promise<Receipt | null> {
    const read = (result: unknown) => {
      const receipt = this.#charged(result)
      if (receipt.txid !== txid) throw new Error('response is for another transaction')
      return receipt
    }
    return this.nodes.ask('eth_getTransactionReceipt', [txid], read).catch(nullIfMissing)
  }

  /** Reads a receipt. Only chains with a surcharge by their definition charge one, whatever a node reports. */
  #charged(result: unknown): Receipt {
    const receipt = readReceipt(result)
    const isCharged = this.definition.surcharge !== undefined
    const surcharge = isCharged ? readSurcharge(result as Record<string, unknown>, receipt.gasUsed) : 0n
    return withSurcharge(receipt, surcharge)
  }

  async certainReceipt(txid: string, block: BlockId): Promise<Receipt | null> {
    // guard: payout-root
    if (this.isVerified) {
      const watch = new EvmWatch(this.definition.id, {
        nodes: this.nodes,
        blocks: this.blocks,
        reading: verifiedReader,
      })
      const receipt = await watch.receiptIn(block, txid).catch(nullUnlessChainError)
      if (!receipt || !this.definition.surcharge) return receipt && withSurcharge(receipt, 0n)
      const { gasUsed } = receipt
      const surcharge = await this.#agreed(txid, block, result => readSurcharge(result, gasUsed), String)
      return surcharge === null ? null : withSurcharge(receipt, surcharge)
    }
    return (
      (await this.#proved(txid, block)) ?? this.#agreed(txid, block, result => this.#charged(result), textOfReceipt)
    )
  }

  /** Returns the receipt that roots prove of which any node sends the block, where they can be computed; or null. */
  async #proved(txid: string, block: BlockId): Promise<Receipt | null> {
    const { unrootedEvery, surcharge } = this.definition
    if (unrootedEvery === undefined || surcharge) return null
    const reading = createPartlyRootedReader(unrootedEvery)
    for (const nodes of this.each) {
      const watch = new EvmWatch(this.definition.id, { nodes, blocks: new Blocks(nodes, reading.header), reading })
      const receipt = await watch.receiptIn(block, txid).catch(error => {
        if (!isChainError(error)) throw error
        return null
      })
      if (receipt) return withSurcharge(receipt, 0n)
    }
    return null
  }

  /** Returns what most nodes report of the receipt of a transaction in a block, or null. */
  async #agreed<T>(
    txid: string,
    block: BlockId,
    read: (result: Record<string, unknown>) => T,
    textOf: (value: T) => string,
  ): Promise<T | null> {
    const call = { method: 'eth_getTransactionReceipt', params: [txid] }
    const votes = await this.nodes.askQuorum([call], ([result]) => {
      const { txid: id, blockHash } = readReceipt(result)
      if (id !== txid) throw new Error('response is for another transaction')
      return { blockHash, value: read(result as Record<string, unknown>) }
    })
    const found = findMajorityAnswer(votes, this.nodes.size, ({ blockHash, value }) => `${blockHash} ${textOf(value)}`)
    return found?.blockHash === block.hash ? found.value : null
  }

  balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    const at = block ? atBlock(block) : 'latest'
    if (token) return this.tokenBalance(token, address, at)
    return this.nodes.ask('eth_getBalance', [address, at], readBigInt)
  }

  async certainBalances(token: string | null, addresses: readonly string[], block?: BlockId) {
    const balances: (bigint | null)[] = []
    const mayProve = { left: provenMax }
    // Heads of nodes differ, and a proof is of a block.
    const at = block ?? (await this.blockAt((await this.head()).number)) ?? undefined
    for (let i = 0; i < addresses.length; i += balancesPerCall)
      balances.push(...(await this.#certain(token, addresses.slice(i, i + balancesPerCall), at, mayProve)))
    return balances
  }

  /**
   * Balances that all nodes report the same are certain: one of them is honest. Others are proven where the chain has
   * roots and a node has proofs; else most nodes must agree.
   */
  async #certain(
    token: string | null,
    addresses: readonly string[],
    block: BlockId | undefined,
    mayProve: { left: number },
  ) {
    const { size } = this.nodes
    const at = block ? atBlock(block) : 'latest'
    const votes = await fetchBalanceVotes(this.nodes, { ...this.definition, token, addresses, at })
    const balances = addresses.map((_, i) => findMajorityBalance(selectAddressVotes(votes, i), size))
    const isUnanimous = (i: number) =>
      votes.length === size && selectAddressVotes(votes, i).every(vote => vote === balances[i])
    const doubted = addresses.flatMap((_, i) => (isUnanimous(i) ? [] : [i])).slice(0, mayProve.left)
    mayProve.left -= doubted.length
    const slot = token === null ? 0 : this.definition.tokens.find(each => each.contract === token)?.balanceSlot
    const isProvable = this.isVerified && block && slot !== undefined && size > 1 && doubted.length > 0
    const of = doubted.map(i => addresses[i]!)
    // A proof binds a balance to a header, and only most nodes put the header on the chain.
    const isOfChain = isProvable && /* guard: proof-block-agreed */ (await this.agreesOn(block)) /* end */
    const proven = isOfChain
      ? await provenBalances(this.nodes, this.blocks, { token, slot, addresses: of, block })
      : null
    if (proven)
      for (const [n, i] of doubted.entries()) {
        // The slot is the operator's word: a proof of it counts if a node says the same of the token.
        if (token === null || selectAddressVotes(votes, i).includes(proven[n]!)) balances[i] = proven[n]!
      }
    else if (areTooFewVotes(votes, size)) throw votes.find(isRefusal) ?? votes.find(vote => vote instanceof Error)
    return balances
  }

  async unknownFork(): Promise<number | null> {
    const answers = await this.nodes.askEach('eth_config', [], readNextFork)
    const times = answers.flatMap(each =>
      typeof each === 'number' && each > (this.definition.lastFork ?? 0) ? [each] : [],
    )
    return times.length > 0 ? Math.min(...times) : null
  }

  async recentBalances(addresses: readonly string[]): Promise<RecentBalances | null> {
    const { number } = await this.head()
    const block = await this.blockAt(number)
    if (!block) return null
    return { block, oldest: number, slack: 0, balances: await this.certainBalances(null, addresses, block) }
  }

  async isSignedBy(address: string, hash: string, signature: string): Promise<boolean> {
    const { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } = await import('viem')
    const args = [address, hash, signature].map(hex => hex as `0x${string}`)
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: args as [`0x${string}`, `0x${string}`, `0x${string}`],
    })
    const call = { method: 'eth_call', params: [{ data }, 'latest'] }
    const votes = await this.nodes.askQuorum([call], ([result]) => decodeBigInt(parseHexBytes(result)) === 1n)
    // A wallet may refuse by reverting.
    if (votes.every(vote => vote instanceof Error && !(vote instanceof CallRefused))) throw votes[0]
    return hasMajority(votes.filter(vote => vote === true).length, votes.length, this.nodes.size)
  }
}

/** All of a receipt that is used later. */
const textOfReceipt = ({ transfers, status, fee, ...receipt }: Receipt) =>
  [
    receipt.blockHash,
    receipt.blockNumber,
    status,
    fee,
    receipt.gasUsed,
    receipt.gasPrice,
    receipt.surcharge,
    ...transfers.map(({ token, from, to, amount }) => [token, from, to, amount].join(' ')),
  ].join()

/** Maps what a node cannot prove to null; rethrows that no node answers. */
function nullUnlessChainError(error: unknown): null {
  if (error instanceof ChainUnavailable) throw error
  return null
}

/** Reads when the next fork is that a node has scheduled (EIP-7910); null if it reports none. */
function readNextFork(config: unknown): number | null {
  const time = (config as { next?: { activationTime?: unknown } | null } | null)?.next?.activationTime
  return Number.isSafeInteger(time) ? (time as number) : null
}

/** Names a block by hash (EIP-1898): after a reorg the call fails rather than read another block's state. */
const atBlock = ({ hash }: BlockId) => ({ blockHash: hash })
