import { type Lie, lied } from '@coffer/chains/testing/lies.ts'
import { blockShape, httpBlock, httpInfo, placed, type Raw } from '@coffer/chains/tron/facade-shapes.ts'
import type { SimBlock } from './sim-chain.ts'
import { hex, word } from './sim-json.ts'
import { tokenBalance } from './sim-own.ts'

/** What a TRON node has. */
export type TronView = {
  id: number
  blocks: readonly SimBlock[]
  byHash: (hash: unknown) => SimBlock | undefined
  lie: Lie | null
  /** Returns a native balance by some blocks. */
  balanceOf: (owner: string, blocks: readonly SimBlock[]) => bigint
}

/** Blocks between the solidified block of a node and its head. */
const unconfirmed = 3

/** Raw block with its transactions and receipts, as the node reports them: what it leaves out is in neither. */
function shown({ json: { header, transactions, receipts } }: SimBlock, lie: Lie | null) {
  const block: Raw & { transactions: Raw[] } = { ...header, transactions }
  if (!lie) return { block, receipts }
  const changed = lied(lie, 'eth_getBlockByHash', block) as typeof block
  const left = new Set(changed.transactions.map(each => each.hash))
  const rest = receipts.filter(each => left.has(each.transactionHash))
  return { block: changed, receipts: lied(lie, 'eth_getBlockReceipts', rest) as Raw[] }
}

/** The logs of a block, as `eth_getLogs` returns them. */
const logsOf = (block: Raw, receipts: readonly Raw[]): Raw[] =>
  receipts
    .flatMap(({ transactionHash, transactionIndex, logs }) =>
      (logs as Raw[]).map(log => ({ ...log, transactionHash, transactionIndex })),
    )
    .map((log, index) =>
      placed({
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
  const { blocks, lie } = view
  const [first, second] = params
  switch (method) {
    case 'eth_chainId':
      return hex(view.id)
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const isLast = first === 'latest'
      const found = method.endsWith('Hash') ? view.byHash(first) : isLast ? blocks.at(-1) : blocks[Number(first)]
      if (!found) return null
      const shape = blockShape(shown(found, lie).block)
      return { ...shape, transactions: (shape.transactions as Raw[]).map(tx => tx.hash) }
    }
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock, address, topics } = first as Record<string, string>
      const found = blockHash ? [view.byHash(blockHash)] : blocks.slice(Number(fromBlock), Number(toBlock) + 1)
      if (!found.every(each => each !== undefined)) return undefined
      return found
        .map(each => shown(each, lie))
        .flatMap(({ block, receipts }) => logsOf(block, receipts))
        .filter(log => address!.includes(String(log.address)) && (log.topics as string[])[0] === topics![0])
    }
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash': {
      const found = blocks.findLast(each => each.txs.some(tx => tx.txid === first))
      if (!found) return null
      const { block, receipts } = shown(found, lie)
      const at = block.transactions.findIndex(each => each.hash === first)
      if (at < 0) return null
      if (method === 'eth_getTransactionReceipt') return placed(receipts[at]!)
      return placed({ ...block.transactions[at]!, blockNumber: block.number })
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
export function tronAnswer(view: TronView, path: string, body: Raw): unknown {
  const { blocks, lie } = view
  const settled = blocks.slice(0, Math.max(1, blocks.length - unconfirmed))
  const whole = (found: SimBlock | undefined) => {
    if (!found) return {}
    const { block, receipts } = shown(found, lie)
    return httpBlock(block, receipts, new Set())
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
      const { block, receipts } = shown(found, lie)
      return receipts.map((each, i) => httpInfo(block.transactions[i]!, each))
    }
    case '/wallet/triggerconstantcontract': {
      const owner = `0x${String(body.data).slice(-40)}`
      const balance = tokenBalance(holder(body.contract_address), owner, blocks)
      return { result: { result: true }, constant_result: [word(balance.toString(16)).slice(2)] }
    }
    default:
      return { Error: 'class java.lang.Exception : not found' }
  }
}
