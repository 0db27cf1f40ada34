import type {
  BlockId,
  BlockRef,
  ChainView,
  DropVerdict,
  ExpiringPayouts,
  Payout,
  Receipt,
  SendResult,
} from '../chain.ts'
import { CallRefused, ChainUnavailable, isChainError } from '../errors.ts'
import { transferData } from '../evm/calls.ts'
import { readReceipt } from '../evm/responses.ts'
import { findMajorityAnswer, hasMajority } from '../nodes/agree.ts'
import { type AnswerDifference, type Nodes, ObjectMissing } from '../nodes/nodes.ts'
import { toTronHexAddress } from './address.ts'
import type { TronBlocks } from './blocks.ts'
import { decideWhetherDropped } from './dropped.ts'
import { callTronHttpApi, callTronHttpApiByQuorum } from './http-api.ts'
import {
  readBroadcastRefusal,
  readEnergy,
  readEnergyPrice,
  readIsContractAccount,
  readLendableStake,
  readResources,
  readTransactionInfo,
} from './responses.ts'
import { tronTxidOf } from './transaction.ts'

/**
 * Percent added to the energy of a dry run: the price of a busy contract's energy rises, and receivers may lose their
 * balance.
 */
const MARGIN = 25n
/** Energy of a token transfer to an address that has none of it yet. */
const TRANSFER_ENERGY = 131_000n
/**
 * Most that a transaction is charged beyond its fee limit: bandwidth of half a kilobyte, and activating the receiver.
 * In sun.
 */
export const MAX_CHARGE_BEYOND_LIMIT_SUN = 1_600_000n
/** Sends transactions on TRON and reports what became of them. */
export class TronExpiring implements ExpiringPayouts {
  readonly beyondLimit = MAX_CHARGE_BEYOND_LIMIT_SUN
  readonly bandwidthFee = 700_000n
  readonly #chain: ChainView
  readonly #nodes: Nodes
  /** Each node by itself. */
  readonly #each: readonly Nodes[]
  readonly #blocks: TronBlocks
  readonly #onDiffers: (url: string, difference: AnswerDifference) => void

  /**
   * @param onDiffers called with a node that says that it has a transaction of ours, which final blocks of most nodes
   *   do not have
   */
  constructor(
    chain: ChainView,
    nodes: Nodes,
    each: readonly Nodes[],
    blocks: TronBlocks,
    onDiffers: (url: string, difference: AnswerDifference) => void = () => {},
  ) {
    this.#chain = chain
    this.#onDiffers = onDiffers
    this.#nodes = nodes
    this.#each = each
    this.#blocks = blocks
  }

  async reference(): Promise<BlockRef | null> {
    const { number } = await this.#chain.head()
    return this.#chain.blockAt(Math.max(0, number - this.#chain.definition.confirmations))
  }

  async feeLimitFor({ from, token, to, amount }: Payout, isDear = false): Promise<bigint> {
    if (token === null) {
      // The chain refuses such a transfer as often as it is broadcast.
      if (await this.#isContract(to)) throw new CallRefused('a contract takes no plain transfer', 0)
      return 0n
    }
    const call = {
      owner_address: toTronHexAddress(from),
      contract_address: toTronHexAddress(token),
      data: transferData(to, amount).slice(2),
    }
    const dryRun = (of: object) =>
      callTronHttpApiByQuorum(this.#nodes, '/wallet/triggerconstantcontract', of, readEnergy)
    const [votes, price] = await Promise.all([dryRun(call), this.#energyPrice()])
    const { size } = this.#nodes
    if (hasMajority(votes.filter(vote => vote === null).length, votes.length, size))
      throw new CallRefused('the transfer would fail', 0)
    const energy = medianOf(votes.filter(vote => vote !== null))
    const [balance] = isDear ? await this.#chain.certainBalances!(token, [to]) : [0n]
    const mayDouble = balance !== 0n
    return (energy * (mayDouble ? 2n : 1n) * price * (100n + MARGIN)) / 100n
  }

  async #isContract(address: string): Promise<boolean> {
    const votes = await callTronHttpApiByQuorum(
      this.#nodes,
      '/wallet/getaccount',
      { address: toTronHexAddress(address) },
      readIsContractAccount,
    )
    return hasMajority(votes.filter(vote => vote === true).length, votes.length, this.#nodes.size)
  }

  async usualFee(isToken: boolean): Promise<bigint> {
    return MAX_CHARGE_BEYOND_LIMIT_SUN + (isToken ? TRANSFER_ENERGY * (await this.#energyPrice()) : 0n)
  }

  async energyOf(address: string): Promise<bigint> {
    const [{ energy }, price] = await Promise.all([this.#resources(address), this.#energyPrice()])
    return energy * price
  }

  async stakeFor(owner: string, fee: bigint): Promise<bigint | null> {
    const [energy, { limit, weight }, most] = await Promise.all([
      this.energyFor(fee),
      this.#resources(owner),
      this.#median(
        '/wallet/getcandelegatedmaxsize',
        { owner_address: toTronHexAddress(owner), type: 1 },
        readLendableStake,
      ),
    ])
    if (limit === 0n) return null
    // Staked TRX shares the energy of the whole network. A few percent more, since that share falls while others stake.
    const stake = (energy * weight * 1_030_000n) / limit + 1_000_000n
    return stake <= most ? stake : null
  }

  async energyFor(fee: bigint): Promise<bigint> {
    const price = await this.#energyPrice()
    return (fee + price - 1n) / price
  }

  /** The median of each number by itself: energy comes back with every block, so that nodes hardly report the same. */
  async #resources(address: string): Promise<{ energy: bigint; limit: bigint; weight: bigint }> {
    const body = { address: toTronHexAddress(address) }
    const votes = await callTronHttpApiByQuorum(this.#nodes, '/wallet/getaccountresource', body, readResources)
    const middle = (which: 'energy' | 'limit' | 'weight') =>
      medianOf(votes.map(vote => (vote instanceof Error ? vote : vote[which])))
    return { energy: middle('energy'), limit: middle('limit'), weight: middle('weight') }
  }

  #energyPrice(): Promise<bigint> {
    return this.#median('/wallet/getchainparameters', {}, readEnergyPrice)
  }

  /** What a node in the middle reports, so that one of three decides nothing. */
  async #median(path: string, body: object, read: (result: unknown) => bigint): Promise<bigint> {
    return medianOf(await callTronHttpApiByQuorum(this.#nodes, path, body, read))
  }

  async send(raw: string): Promise<SendResult> {
    const txid = tronTxidOf(raw)
    const body = { transaction: raw.slice(2) }
    const read = (result: unknown) => readBroadcastRefusal(result, txid)
    const answers = await Promise.all(
      this.#each.map(node =>
        callTronHttpApi(node, '/wallet/broadcasthex', body, read).catch((error: Error) => error.message),
      ),
    )
    const accepted = answers.includes(null)
    return { txid, accepted, reason: accepted ? null : (answers[0] ?? null) }
  }

  async whetherDropped(txid: string, expiration: number): Promise<DropVerdict> {
    const found = await decideWhetherDropped(this.#chain, this.#blocks, this.#each, { txid, expiration })
    for (const { url, block } of found.isOutvoted ? found.claims : [])
      this.#onDiffers(url, block === null ? ['claims', txid] : ['claims_in_block', txid, String(block)])
    return found
  }

  /**
   * The outcome is that which the block's root covers. Where that cannot be proven, a failure may be shown by one
   * interface only.
   */
  async certainReceipt(txid: string, block: BlockId): Promise<Receipt | null> {
    const call = { method: 'eth_getTransactionReceipt', params: [txid] }
    const [proven, receipts, infos] = await Promise.all([
      this.#provenResult(txid, block),
      this.#nodes.askQuorum([call], ([result]) => {
        const receipt = readReceipt(result)
        if (receipt.txid !== txid) throw new Error('response is for another transaction')
        return receipt
      }),
      callTronHttpApiByQuorum(this.#nodes, '/wallet/gettransactioninfobyid', { value: txid.slice(2) }, result => {
        const info = readTransactionInfo(result)
        if (!info) throw new ObjectMissing('no such transaction')
        const status = info.succeeded ? ('success' as const) : ('reverted' as const)
        return { fee: info.fee, status, outOfEnergy: info.outOfEnergy }
      }),
    ])
    const { size } = this.#nodes
    const receipt = findMajorityAnswer(
      receipts,
      size,
      ({ blockHash, transfers }) => `${blockHash} ${textOf(transfers)}`,
    )
    const info = findMajorityAnswer(infos, size, ({ fee }) => String(fee))
    if (receipt?.blockHash !== block.hash || !info || proven === 'not in the block') return null
    const is = (status: Receipt['status']) => [
      hasMajority(
        receipts.filter(each => !(each instanceof Error) && each.status === status).length,
        receipts.length,
        size,
      ),
      hasMajority(infos.filter(each => !(each instanceof Error) && each.status === status).length, infos.length, size),
    ]
    // guard: tron-receipt-agreed
    const agreed = is('success').every(Boolean) ? 'success' : is('reverted').some(Boolean) ? 'reverted' : null
    const short = infos.filter(each => !(each instanceof Error) && each.outOfEnergy).length
    // By both interfaces: it is then sent again.
    const isShort = is('reverted').every(Boolean) && hasMajority(short, infos.length, size)
    const status = proven ? (proven === 'SUCCESS' ? 'success' : 'reverted') : agreed
    const isOutOfEnergy = proven ? proven === 'OUT_OF_ENERGY' : isShort
    return status && { ...receipt, fee: info.fee, status, ...(isOutOfEnergy && { isOutOfEnergy }) }
  }

  /** The result of a transaction in a block that is proven; null if it cannot be, or the block is not known. */
  async #provenResult(txid: string, block: BlockId): Promise<string | null> {
    const found = await this.#blocks.byId(block).catch((error: Error) => {
      if (isChainError(error)) return null
      throw error
    })
    if (!found?.isProven) return null
    const { result } = found.transactions.find(each => each.txid === txid) ?? { result: 'not in the block' }
    // Nodes of the time before contracts gave no result.
    return result === 'DEFAULT' ? null : result
  }
}

const textOf = (transfers: Receipt['transfers']) =>
  transfers.map(({ token, from, to, amount }) => [token, from, to, amount].join(' ')).join()

/** The middle of what nodes report, the upper one of two. Throws an error of the votes if no node reports anything. */
function medianOf(votes: readonly (bigint | Error)[]): bigint {
  const found = votes.filter(vote => typeof vote === 'bigint').sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const middle = found[Math.floor(found.length / 2)]
  if (middle === undefined)
    throw votes.find(vote => vote instanceof Error) ?? new ChainUnavailable('nodes do not agree')
  return middle
}
