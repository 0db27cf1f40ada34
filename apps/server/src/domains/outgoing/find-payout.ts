import { chainAdapters, isChainError, type Receipt, type Transfer } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readChain } from '../chains/store.ts'
import { findInBlock } from './advance.ts'
import { createSendingFor } from './kinds.ts'
import { verifyBalancesMoved } from './moved.ts'
import { isPayable, type PayableChain, type SendingStrategy } from './sender.ts'
import { findCertain } from './settle.ts'
import { type TransactionIntent, walletOfRole } from './store.ts'

/** A payout that a transaction may have paid which this database did not send. */
export interface PaidElsewhere {
  chainId: string
  /** Token contract, or null for the native coin. */
  token: string | null
  symbol: string
  decimals: number
  /** Receiver in stored form. */
  to: string
  amount: bigint
  /** When the payout was requested, in Unix seconds: nothing has paid it before. */
  since: number
}

/** A final transaction of a wallet of ours, as most nodes have it, that has paid what was looked for. */
export interface FoundTransaction {
  chain: PayableChain
  from: string
  receipt: Receipt
  /** The transfers that fit, each by its place among those that were logged; -1 of the native coin. */
  places: number[]
}

/** Seconds by which the clocks of chain and server may differ. */
const clockTolerance = 600

/** Refuses a transaction, and says what would be accepted. */
const refuseTransaction = (en: string, zh: string) =>
  new Refusal('operation_failed', { field: 'txid', detail: { en, 'zh-CN': zh } })

/** The id of a transaction as it is stored. Throws Refusal. */
export function parseTransactionId(text: string): string {
  const bare = text.trim().toLowerCase().replace(/^0x/, '')
  if (!/^[0-9a-f]{64}$/.test(bare))
    throw refuseTransaction(
      'a transaction hash is needed, which has 64 hexadecimal digits',
      '请填写交易哈希（64 位十六进制字符）',
    )
  return `0x${bare}`
}

/**
 * Finds out whether a transaction has paid a payout, as the engine does of its own: it must be in a block that is as
 * deep as the chain's confirmations on most nodes and final here, have a certain receipt, and have sent exactly the
 * amount of the payout's asset from the hot wallet to its receiver, whose balance rose. Throws Refusal with what is
 * allowed, or Refusal('busy') while nodes do not answer.
 */
export async function findPayout(deps: Deps, txid: string, payout: PaidElsewhere): Promise<FoundTransaction> {
  const chain = deps.chains.get(payout.chainId)
  if (!chain || !isPayable(chain)) throw new Refusal('operation_failed', { field: 'chain' })
  try {
    return await readPayment(deps, chain, txid, payout)
  } catch (error) {
    if (isChainError(error)) throw new Refusal('busy')
    throw error
  }
}

async function readPayment(
  deps: Deps,
  chain: PayableChain,
  txid: string,
  payout: PaidElsewhere,
): Promise<FoundTransaction> {
  const { name, confirmations } = chain.definition
  const wallet = await walletOfRole(deps.pool, payout.chainId, 'hot')
  if (!wallet) throw new Refusal('operation_failed', { field: 'wallet' })
  const sending = createSendingFor(chain)
  const receipt = await readFinal(deps, chain, sending, txid)
  if (receipt === null)
    throw refuseTransaction(
      `it must be in a block of ${name} that most nodes have, at least ${confirmations} blocks deep; try again then`,
      `该交易须已进入 ${name} 多数节点认可的区块，且至少有 ${confirmations} 个确认；请届时重试`,
    )
  if (receipt.status !== 'success')
    throw refuseTransaction(
      'the transaction failed, so it has paid nobody; name one that succeeded',
      '该交易执行失败，未付款给任何人；请填写执行成功的交易',
    )
  const block = await chain.blockAt(receipt.blockNumber)
  if (block?.hash !== receipt.blockHash) throw new Refusal('busy')
  if (block.time < payout.since - clockTolerance)
    throw refuseTransaction(
      'it is older than the payout; name one that was sent after the payout was requested',
      '该交易早于付款申请；请填写申请之后发送的交易',
    )
  const places = await findPlaces(chain, wallet.address, receipt, payout)
  if (places.length === 0) throw refuseOther(chain, wallet.address, payout)
  const { token, to } = payout
  const moved =
    token === null || (await verifyBalancesMoved(chain, listLogged(receipt, token, wallet.address, to), receipt))
  if (moved === 'unknown') throw new Refusal('busy')
  if (!moved)
    throw refuseTransaction(
      'the token logged the transfer, but the balance of the receiver did not rise',
      '代币记录了该笔转账，但收款地址余额并未增加',
    )
  return { chain, from: wallet.address, receipt, places }
}

/** All of a token that a transaction logged from a wallet to a receiver, who must have got as much. */
function listLogged({ transfers }: Receipt, token: string, from: string, to: string): TransactionIntent {
  const logged = transfers.filter(each => each.token === token && each.from === from && each.to === to)
  return { kind: 'batch', token, payments: logged.map(each => ({ to, amount: String(each.amount) })) }
}

/** The certain receipt of a transaction whose block is as deep as it must be, and final here; null if it is not. */
async function readFinal(
  deps: Deps,
  chain: PayableChain,
  sending: SendingStrategy,
  txid: string,
): Promise<Receipt | null> {
  const mined = await findInBlock(chain, sending, [{ txid }])
  if (mined === null || mined === 'disputed') return null
  if (!(await chain.agreesOn(mined.block, chain.definition.confirmations))) return null
  const receipt = await findCertain({ chain, sending }, mined)
  if (!receipt) return null
  const followed = await readChain(deps.pool, chain.definition.id)
  return isFollowed(followed, receipt) ? receipt : null
}

/** Whether the followed chain has the block of a receipt final, too. */
export const isFollowed = (
  followed: { halted: string | null; final_number: number } | undefined,
  { blockNumber }: Receipt,
): boolean => followed !== undefined && followed.halted === null && followed.final_number >= blockNumber

/** The transfers of a transaction that are exactly a payout from a wallet. */
async function findPlaces(chain: PayableChain, from: string, receipt: Receipt, payout: PaidElsewhere) {
  const { token, to, amount } = payout
  if (token === null) {
    const sent = await readNativeTransfers(chain, receipt, to)
    const isIt = (each: Transfer) => each.txid === receipt.txid && each.from === from && each.amount === amount
    return sent.some(isIt) ? [-1] : []
  }
  return receipt.transfers.flatMap((each, place) =>
    each.token === token && each.from === from && each.to === to && each.amount === amount ? [place] : [],
  )
}

/** The native coin that plain transactions sent to an address in the block of a receipt. */
async function readNativeTransfers(chain: PayableChain, { blockNumber, blockHash }: Receipt, to: string) {
  const block = await chain.blockAt(blockNumber)
  if (block?.hash !== blockHash) throw new Refusal('busy')
  const filter = { tokens: [], native: true, isOurs: (address: string) => address === to }
  if (chain.isVerified) return (await chain.transfersIn(block, filter)).transfers
  const agreed = await chain.agreed(blockNumber, block, filter)
  if (!agreed) throw new Refusal('busy')
  return agreed
}

/** Names what the transaction would have to have done. */
function refuseOther({ definition }: PayableChain, wallet: string, payout: PaidElsewhere): Refusal {
  const { show } = chainAdapters[definition.kind].address
  const amount = `${formatDecimal(payout.amount, payout.decimals)} ${payout.symbol}`
  const from = show(wallet)
  const to = show(payout.to)
  const token = payout.token === null ? '' : show(payout.token)
  return refuseTransaction(
    `it must have sent exactly ${amount}${token && ` (token ${token})`} from our wallet ${from} to ${to}`,
    `该交易须从本站钱包 ${from} 向 ${to} 转出恰好 ${amount}${token && `（代币合约 ${token}）`}`,
  )
}
