import { type Lie, lied } from '@coffer/chains/testing/lies.ts'
import { ENERGY_TOTALS } from '@coffer/chains/tron/facade-broadcast.ts'
import {
  type RawJsonObject,
  toTronHttpBlock,
  toTronHttpInfo,
  toTronRpcBlock,
  toTronRpcRecord,
} from '@coffer/chains/tron/facade-shapes.ts'
import type { SimBlock } from './sim-chain.ts'
import { hex, word } from './sim-json.ts'
import { isSent, tokenBalance } from './sim-own.ts'
import { energyFor, energyOf, lendable } from './sim-own-tron.ts'

/**
 * What a node says about our transactions: that there are none or, by its HTTP API alone, another fee or that they
 * failed.
 */
export type AboutOurs = 'truth' | 'none' | 'fee' | 'failed'

/** What a TRON node has. */
export type TronView = {
  id: number
  blocks: readonly SimBlock[]
  byHash: (hash: unknown) => SimBlock | undefined
  lie: Lie | null
  aboutOurs: AboutOurs
  energyPrice: bigint
  rentedTo: (address: string) => bigint
  /** Returns a native balance by some blocks. */
  balanceOf: (owner: string, blocks: readonly SimBlock[]) => bigint
}

/** Blocks between the solidified block of a node and its head. */
const unconfirmed = 3

/** Raw block with its transactions and receipts, as the node reports them: what it leaves out is in neither. */
function shown({ txs, json: { header, transactions, receipts } }: SimBlock, { lie, aboutOurs }: TronView) {
  const block: RawJsonObject & { transactions: RawJsonObject[] } = { ...header, transactions }
  if (!lie && aboutOurs !== 'none') return { block, receipts }
  const changed = lie ? (lied(lie, 'eth_getBlockByHash', block) as typeof block) : block
  const hidden = new Set<unknown>(aboutOurs === 'none' ? txs.filter(isSent).map(each => each.txid) : [])
  const left = changed.transactions.filter(each => !hidden.has(each.hash))
  const ids = new Set(left.map(each => each.hash))
  const rest = receipts.filter(each => ids.has(each.transactionHash))
  return {
    block: { ...changed, transactions: left },
    receipts: lie ? (lied(lie, 'eth_getBlockReceipts', rest) as RawJsonObject[]) : rest,
  }
}

/** The result of a transaction of a block, as the HTTP API returns it. */
function infoOf(
  transaction: RawJsonObject,
  receipt: RawJsonObject,
  { txs }: SimBlock,
  { aboutOurs }: TronView,
): RawJsonObject {
  const info = toTronHttpInfo(transaction, receipt)
  if (!txs.some(each => isSent(each) && each.txid === transaction.hash)) return info
  if (aboutOurs === 'fee') return { ...info, fee: Number(info.fee) + 7_000_000 }
  return aboutOurs === 'failed' ? { ...info, receipt: { result: 'OUT_OF_ENERGY' }, result: 'FAILED' } : info
}

/** The result of a transaction in some blocks; `{}` if there is none. */
function infoById(blocks: readonly SimBlock[], { value }: RawJsonObject, view: TronView): RawJsonObject {
  const found = blocks.findLast(each => each.txs.some(tx => tx.txid === `0x${value}`))
  if (!found) return {}
  const { block, receipts } = shown(found, view)
  const at = block.transactions.findIndex(each => each.hash === `0x${value}`)
  return at < 0 ? {} : infoOf(block.transactions[at]!, receipts[at]!, found, view)
}

/** A dry run of a call: a balance, or a transfer, which fails without the balance. */
function dryRun({ owner_address, contract_address, data }: RawJsonObject, { blocks }: TronView): RawJsonObject {
  const from = holder(owner_address)
  const token = holder(contract_address)
  const argument = `0x${String(data).slice(32, 72)}`
  const isTransfer = String(data).startsWith('a9059cbb')
  const balance = tokenBalance(token, isTransfer ? from : argument, blocks)
  const result = { result: true }
  if (!isTransfer) return { result, constant_result: [word(balance.toString(16)).slice(2)] }
  const isCovered = balance >= BigInt(`0x${String(data).slice(72)}`)
  const energy_used = Number(energyFor(token, argument, blocks))
  return { result, energy_used, transaction: { ret: [isCovered ? {} : { ret: 'FAILED' }] } }
}

/** The logs of a block, as `eth_getLogs` returns them. */
const logsOf = (block: RawJsonObject, receipts: readonly RawJsonObject[]): RawJsonObject[] =>
  receipts
    .flatMap(({ transactionHash, transactionIndex, logs }) =>
      (logs as RawJsonObject[]).map(log => ({ ...log, transactionHash, transactionIndex })),
    )
    .map((log, index) =>
      toTronRpcRecord({
        ...log,
        blockNumber: block.number,
        blockHash: block.hash,
        logIndex: hex(index),
        removed: false,
      }),
    )

const holder = (prefixed: unknown) => `0x${String(prefixed).slice(2)}`

/** Answers a call of the JSON-RPC interface; undefined if it has no such method, or not for these parameters. */
export function tronResult(view: TronView, method: string, params: readonly unknown[]): unknown {
  const { blocks } = view
  const [first, second] = params
  switch (method) {
    case 'eth_chainId':
      return hex(view.id)
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const isLast = first === 'latest'
      const found = method.endsWith('Hash') ? view.byHash(first) : isLast ? blocks.at(-1) : blocks[Number(first)]
      if (!found) return null
      const shape = toTronRpcBlock(shown(found, view).block)
      return { ...shape, transactions: (shape.transactions as RawJsonObject[]).map(tx => tx.hash) }
    }
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock, address, topics } = first as Record<string, string>
      const found = blockHash ? [view.byHash(blockHash)] : blocks.slice(Number(fromBlock), Number(toBlock) + 1)
      if (!found.every(each => each !== undefined)) return undefined
      return found
        .map(each => shown(each, view))
        .flatMap(({ block, receipts }) => logsOf(block, receipts))
        .filter(log => address!.includes(String(log.address)) && (log.topics as string[])[0] === topics![0])
    }
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash': {
      const found = blocks.findLast(each => each.txs.some(tx => tx.txid === first))
      if (!found) return null
      const { block, receipts } = shown(found, view)
      const at = block.transactions.findIndex(each => each.hash === first)
      if (at < 0) return null
      if (method === 'eth_getTransactionReceipt') return toTronRpcRecord(receipts[at]!)
      return toTronRpcRecord({ ...block.transactions[at]!, blockNumber: block.number })
    }
    case 'eth_getBalance':
      return second === 'latest' ? hex(view.balanceOf(String(first), blocks)) : undefined
    case 'eth_call': {
      const { to, data } = first as { to: string; data: string }
      if (second !== 'latest' || !data.startsWith('0x70a08231')) return undefined
      return word(tokenBalance(to, `0x${data.slice(-40)}`, blocks).toString(16))
    }
    default:
      return undefined
  }
}

/** Answers a path of the HTTP API. What is not found is `{}`. */
export function tronAnswer(view: TronView, path: string, body: RawJsonObject): unknown {
  const { blocks } = view
  const settled = blocks.slice(0, Math.max(1, blocks.length - unconfirmed))
  const whole = (found: SimBlock | undefined) => {
    if (!found) return {}
    const { block, receipts } = shown(found, view)
    if (block.transactions === found.json.transactions) return found.json.http
    // What it changes does not hash to the id that it names.
    const other = toTronHttpBlock({ ...block }, receipts, found.parentHash.slice(2))
    return { ...found.json.http, transactions: other.transactions }
  }
  switch (path) {
    case '/wallet/getblockbyid':
      return whole(view.byHash(`0x${body.value}`))
    case '/wallet/getblockbylimitnext': {
      const found = blocks.slice(Number(body.startNum), Number(body.endNum))
      return found.length > 0 ? { block: found.map(whole) } : {}
    }
    case '/walletsolidity/getnowblock':
      return whole(settled.at(-1))
    case '/wallet/getaccount':
    case '/walletsolidity/getaccount': {
      const at = path.startsWith('/walletsolidity') ? settled : blocks
      const balance = view.balanceOf(holder(body.address), at)
      return balance > 0n ? { address: body.address, balance: Number(balance) } : {}
    }
    case '/wallet/gettransactioninfobyblocknum': {
      const found = blocks[Number(body.num)]
      if (!found) return []
      const { block, receipts } = shown(found, view)
      return receipts.map((each, i) => infoOf(block.transactions[i]!, each, found, view))
    }
    case '/wallet/gettransactioninfobyid':
      return infoById(blocks, body, view)
    case '/walletsolidity/gettransactionbyid': {
      const { id } = infoById(settled, body, view)
      return id === undefined ? {} : { txID: id }
    }
    case '/walletsolidity/gettransactioninfobyid':
      return infoById(settled, body, view)
    case '/wallet/triggerconstantcontract':
      return dryRun(body, view)
    case '/wallet/getchainparameters':
      return { chainParameter: [{ key: 'getEnergyFee', value: Number(view.energyPrice) }] }
    case '/wallet/getaccountresource': {
      const energy = energyOf(holder(body.address), blocks, view.rentedTo(holder(body.address)))
      return { ...(energy > 0n && { EnergyLimit: Number(energy) }), ...ENERGY_TOTALS }
    }
    case '/wallet/getcandelegatedmaxsize': {
      const most = lendable(holder(body.owner_address), blocks)
      return most > 0n ? { max_size: Number(most) } : {}
    }
    default:
      return { Error: 'class java.lang.Exception : not found' }
  }
}
