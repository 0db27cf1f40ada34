import { lyingAnywhere } from '@coffer/chains/testing/lie-seeds.ts'
import { startProxy } from '@coffer/chains/testing/proxy.ts'

export interface LyingNode {
  url: string
  /** How many answers were lies. */
  lies: () => number
  stop: () => Promise<void>
}

/** Answers that are one number, or a word of a contract. */
const numbers = /^eth_(getTransactionCount|getBalance|estimateGas|call|maxPriorityFeePerGas)$/

/**
 * Starts a proxy to the node at `target` that lies in every answer: in some field of blocks and receipts, and in
 * nonces, balances, fees and what contracts return. It denies half of the transactions that are requested of it, and
 * broadcasts none. Of which chain it is stays true: a node of another chain is never queried.
 */
export async function startLyingNode(target: string, random: () => number): Promise<LyingNode> {
  const node = await startProxy(target)
  const lie = lyingAnywhere(String(random()))
  /** The last answer to each call, to tell in place of the next. */
  const others = new Map<string, unknown>()
  let count = 0
  node.intercept = async ({ method, params }, ask) => {
    if (method === 'eth_sendRawTransaction') return { error: { code: -32_000, message: 'already known' } }
    const isOfBlocks = /^eth_get(Block|Transaction)/.test(method) && params[0] !== '0x0'
    if (!isOfBlocks && !numbers.test(method) && method !== 'eth_feeHistory') return undefined
    const truth = await ask(method, ...params)
    const told = numbers.test(method) ? anotherNumber(truth, random()) : lie(method, truth, others.get(method))
    others.set(method, truth)
    const result =
      /Transaction(Receipt|ByHash)/.test(method) && random() < 0.5 ? null : method === 'eth_feeHistory' ? dear : told
    if (result !== truth) count++
    return { result }
  }
  return { url: node.url, lies: () => count, stop: node.stop }
}

/** Fees of 600 gwei. */
const dear = { oldestBlock: '0x1', baseFeePerGas: ['0x8bb2c97000', '0x8bb2c97000'], reward: [['0x8bb2c97000']] }

/** Another number of the same length: nothing, all, or some. */
function anotherNumber(truth: unknown, by: number): unknown {
  if (typeof truth !== 'string') return truth
  if (by < 0.3) return truth.replace(/[^x]/g, '0')
  if (by < 0.6) return `0x${'f'.repeat(truth.length - 2)}`
  return truth.replace(/.$/, last => (last === '7' ? '3' : '7'))
}
