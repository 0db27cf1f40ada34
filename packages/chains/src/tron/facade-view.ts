import { emulatedStateOf } from './facade-broadcast.ts'
import { failedTransferLog, type RawJsonObject, toTronRpcRecord } from './facade-shapes.ts'
import { type LocalChainSource, localChainSourceOf } from './facade-source.ts'

/** How far an emulated node is behind. */
export interface TronNodeLag {
  /** Blocks by which the node lags. */
  behind: number
  /** Blocks between its solidified block and its head. */
  unconfirmed: number
}

/** The local chain as an emulated node sees it. */
export interface TronNodeView extends LocalChainSource {
  /** URL of the local chain. */
  target: string
  block: (which: number | 'latest' | 'confirmed', full: boolean) => Promise<RawJsonObject | null>
  blockById: (id: string, full: boolean) => Promise<RawJsonObject | null>
  /** Height of its solidified block. */
  confirmed: () => Promise<number>
  /** Makes all blocks known by their ids on TRON. */
  learn: () => Promise<void>
}

/** A refusal of JSON-RPC. */
export class JsonRpcRefusal extends Error {
  code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const toHexQuantity = (n: number): string => `0x${n.toString(16)}`

/** Returns the chain at `target` as a node sees it that lags by what `lagOf` returns. */
export function createTronNodeView(target: string, lagOf: () => TronNodeLag): TronNodeView {
  const source = localChainSourceOf(target)
  const { ask, current, shown } = source
  const block: TronNodeView['block'] = async (which, full) => {
    const view = await current()
    const { behind, unconfirmed } = lagOf()
    const height = view.height - behind
    if (which === 'confirmed') return view.block(Math.max(0, height - unconfirmed), full)
    if (which === 'latest') return view.block(height, full)
    return which > height ? null : view.block(which, full)
  }
  return {
    ...source,
    target,
    block,
    blockById: async (id, full) => {
      const found = await ask<RawJsonObject | null>('eth_getBlockByHash', id, full)
      return found && block(Number(found.number), full).then(one => (one?.hash === found.hash ? one : null))
    },
    confirmed: async () => {
      const { height } = await current()
      const { behind, unconfirmed } = lagOf()
      return Math.max(0, height - behind - unconfirmed)
    },
    learn: async () => {
      const view = await current()
      await shown((await view.block(view.height, true))!)
    },
  }
}

/** Returns the id on TRON, with 0x, of a transaction or block of the local chain. */
export async function tronId({ target, learn }: TronNodeView, local: string): Promise<string> {
  await learn()
  return `0x${emulatedStateOf(target).tron.get(local.slice(2)) ?? local.slice(2)}`
}

/** Answers `eth_getLogs`, with what transfers that failed leave. */
export async function findLogs(
  { ask, block, blockById, receiptsOf }: TronNodeView,
  filter: RawJsonObject,
): Promise<RawJsonObject[]> {
  const { blockHash, fromBlock, toBlock, ...rest } = filter
  if (blockHash && fromBlock) throw new JsonRpcRefusal(-32602, 'cannot specify both BlockHash and FromBlock/ToBlock')
  let from = Number(fromBlock)
  let to = Number(toBlock)
  if (blockHash) {
    const found = await blockById(String(blockHash), false)
    if (!found) throw new JsonRpcRefusal(-32602, 'invalid blockHash')
    from = to = Number(found.number)
  }
  if (to - from >= 5_000) throw new JsonRpcRefusal(-32602, 'exceed max block range: 5000')
  const ofBlock = async (number: number): Promise<RawJsonObject[]> => {
    const found = await block(number, true)
    if (!found || (found.transactions as RawJsonObject[]).length === 0) return []
    const where = { fromBlock: toHexQuantity(number), toBlock: toHexQuantity(number), ...rest }
    const [logged, receipts] = await Promise.all([ask<RawJsonObject[]>('eth_getLogs', where), receiptsOf(found)])
    const left = (found.transactions as RawJsonObject[])
      .map((each, i) => (receipts[i]!.status === '0x0' ? failedTransferLog(each, 1_000 + i) : null))
      .filter(each => each !== null && (rest.address as string[]).includes(String(each.address)))
    return [...logged, ...(left as RawJsonObject[])]
  }
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  const answers = (await Promise.all(numbers.map(ofBlock))).flat()
  return answers.map(toTronRpcRecord)
}
