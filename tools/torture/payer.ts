import { setTimeout } from 'node:timers/promises'
import { rpc } from '@coffer/local/anvil-state.ts'

/** A token transfer on the chain, as reported by the node itself. */
export interface Transfer {
  chainId: string
  txid: string
  to: string
  amount: bigint
}

/** A chain as accessed by the payer, without the faulty proxy. */
export interface PayersChain {
  id: string
  send: (to: string, amount: bigint) => Promise<void>
  /** Replaces the latest blocks with empty ones, which drops their transactions. */
  reorg: (depth: number) => Promise<void>
  transfers: () => Promise<Transfer[]>
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** Opens a chain by Coffer's id, the URL of its node and the token's contract. */
export async function openPayersChain(id: string, url: string, contract: string): Promise<PayersChain> {
  const [, payer] = (await rpc(url, 'eth_accounts')) as string[]
  // Sequentially: the node assigns nonces, and a concurrent reorg would leave a gap in them.
  let queue: Promise<unknown> = Promise.resolve()
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }
  return {
    id,
    send: (to, amount) =>
      next(async () => {
        const data = `0xa9059cbb${word(BigInt(to))}${word(amount)}`
        await rpc(url, 'eth_sendTransaction', [{ from: payer, to: contract, data, gas: '0x186a0' }])
      }),
    reorg: depth =>
      next(async () => {
        // A block mined meanwhile leaves a hole in the node's chain; one may be under way when mining stops.
        await rpc(url, 'evm_setIntervalMining', [0])
        await setTimeout(500)
        await rpc(url, 'anvil_reorg', [depth, []]).finally(() => rpc(url, 'evm_setIntervalMining', [1]))
      }),
    transfers: async () => {
      const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest', topics: [transferTopic] }
      const logs = (await rpc(url, 'eth_getLogs', [filter])) as {
        transactionHash: string
        topics: string[]
        data: string
      }[]
      return logs.map(log => ({
        chainId: id,
        txid: log.transactionHash,
        to: `0x${log.topics[2]?.slice(26)}`,
        amount: BigInt(log.data),
      }))
    },
  }
}
