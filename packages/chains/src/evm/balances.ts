import { CallRefused } from '../errors.ts'
import type { JsonRpcCall } from '../nodes/json-rpc.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { balanceData } from './calls.ts'
import { readBigInt, readWord } from './responses.ts'

/**
 * Balances read by one call: a million addresses take 2,500 calls, and 400 token balances about 15 of the 50 million
 * gas of a call.
 */
export const balancesPerCall = 400

/** How balances are read from a node. */
type Reading = { calls: JsonRpcCall[]; read: (results: unknown[]) => bigint[] }

/** The balances of some addresses by each node that answered or failed. */
export type Votes = (bigint[] | Error)[]

/**
 * Reads balances from all nodes, at a block parameter of JSON-RPC: by one call of Multicall3, or in batches where too
 * few nodes can, as before it was deployed.
 */
export async function fetchBalanceVotes(
  nodes: Nodes,
  {
    multicall,
    token,
    addresses,
    at,
  }: { multicall?: string; token: string | null; addresses: readonly string[]; at: unknown },
): Promise<Votes> {
  if (multicall) {
    const { calls, read } = await byAggregator(multicall, token, addresses, at)
    const votes = await nodes.askQuorum(calls, read)
    if (!areTooFewVotes(votes, nodes.size)) return votes
  }
  const { calls, read } = byBatch(token, addresses, at)
  return nodes.askQuorum(calls, read)
}

/** Whether too few nodes have the state for any two to agree. */
export const areTooFewVotes = (votes: Votes, nodes: number) =>
  votes.filter(vote => !(vote instanceof Error)).length < Math.min(2, nodes)

/** What the nodes say about one of the addresses. */
export const selectAddressVotes = (votes: Votes, i: number): (bigint | Error)[] =>
  votes.map(vote => (vote instanceof Error ? vote : vote[i]!))

/** What is called of Multicall3. Source: its verified contract, at 0xca11…ca11 on most chains. */
const multicall3 = [
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
  'function getEthBalance(address addr) view returns (uint256 balance)',
] as const

async function byAggregator(
  aggregator: string,
  token: string | null,
  addresses: readonly string[],
  at: unknown,
): Promise<Reading> {
  // Loaded on first use, as for signing.
  const { decodeFunctionResult, encodeFunctionData, parseAbi } = await import('viem/utils')
  const abi = parseAbi(multicall3)
  const target = (token ?? aggregator) as `0x${string}`
  const callData = (address: string) =>
    token
      ? balanceData(address)
      : encodeFunctionData({ abi, functionName: 'getEthBalance', args: [address as `0x${string}`] })
  const calls = addresses.map(address => ({ target, allowFailure: false, callData: callData(address) }))
  const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [calls] })
  return {
    calls: [{ method: 'eth_call', params: [{ to: aggregator, data }, at] }],
    read: ([result]) => {
      if (result === '0x') throw new CallRefused('no aggregator at this block', 0)
      const answers = decodeFunctionResult({ abi, functionName: 'aggregate3', data: result as `0x${string}` })
      if (answers.length !== addresses.length) throw new Error('response is for other addresses')
      return answers.map(({ returnData }) => {
        if (returnData.length !== 66) throw new CallRefused('invalid balance in response', 0)
        return BigInt(returnData)
      })
    },
  }
}

/** Reads balances by a batch of JSON-RPC calls, or by single calls where nodes refuse batches. */
function byBatch(token: string | null, addresses: readonly string[], at: unknown): Reading {
  const calls = addresses.map(address =>
    token
      ? { method: 'eth_call', params: [{ to: token, data: balanceData(address) }, at] }
      : { method: 'eth_getBalance', params: [address, at] },
  )
  return { calls, read: results => results.map(token ? readWord : readBigInt) }
}
