import { CallRefused } from '../errors.ts'
import { balanceData } from '../jsonrpc/calls.ts'
import type { Nodes } from '../jsonrpc/nodes.ts'
import { readBigInt, readWord } from '../jsonrpc/responses.ts'

/** Balances read by one call: a million addresses take 2,500 calls, and 400 token balances about 15 of the 50 million gas of a call. */
export const perCall = 400

/**
 * Reads balances by one call of Multicall3. Returns null if it cannot: it is not there at this block, the node refuses, or a token
 * does not answer.
 */
export async function askAggregator(
  nodes: Nodes,
  aggregator: string,
  token: string | null,
  addresses: readonly string[],
  at: unknown,
): Promise<bigint[] | null> {
  // Loaded on first use, as for signing.
  const { decodeFunctionResult, encodeFunctionData, multicall3Abi: abi } = await import('viem')
  const target = (token ?? aggregator) as `0x${string}`
  const callData = (address: string) =>
    token
      ? balanceData(address)
      : encodeFunctionData({ abi, functionName: 'getEthBalance', args: [address as `0x${string}`] })
  const calls = addresses.map(address => ({ target, allowFailure: false, callData: callData(address) }))
  const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [calls] })
  try {
    return await nodes.ask('eth_call', [{ to: aggregator, data }, at], result => {
      if (result === '0x') throw new CallRefused('no aggregator at this block', 0)
      const answers = decodeFunctionResult({ abi, functionName: 'aggregate3', data: result as `0x${string}` })
      if (answers.length !== addresses.length) throw new Error('response is for other addresses')
      return answers.map(({ returnData }) => {
        if (returnData.length !== 66) throw new CallRefused('invalid balance in response', 0)
        return BigInt(returnData)
      })
    })
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** Reads balances by a batch of JSON-RPC calls, or by single calls where nodes refuse batches. */
export function askBatch(nodes: Nodes, token: string | null, addresses: readonly string[], at: unknown) {
  const calls = addresses.map(address =>
    token
      ? { method: 'eth_call', params: [{ to: token, data: balanceData(address) }, at] }
      : { method: 'eth_getBalance', params: [address, at] },
  )
  return nodes.askMany(calls, results => results.map(token ? readWord : readBigInt))
}
