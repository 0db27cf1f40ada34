import { CallRefused } from '../errors.ts'
import { findMajorityBalance } from '../nodes/agree.ts'
import type { JsonRpcCall } from '../nodes/json-rpc.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { readWord } from './responses.ts'

/** Slots in which proxies keep whose code they run: of EIP-1967, and of the older proxy that USDC stands behind. */
const SLOTS = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
]
/** The slot of EIP-1967 in which proxies keep the contract that they ask whose code to run. */
const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** `upgradedAddress()` of USDT, also on TRON, which passes calls on to that contract once it is set. */
const UPGRADED = '0x26976e3f'
/** `implementation()`: whose code a beacon has proxies run, and proxies with a slot of their own. */
const IMPLEMENTATION = '0x5c60da1b'
/** The code of JSON-RPC for a method that a node does not have. */
const NO_METHOD = -32_601

type AskedNodes = Pick<Nodes, 'askQuorum' | 'size'>

/**
 * Returns the contract whose code a token runs, as most nodes report it: that of a proxy or of its beacon, or the one
 * that has replaced it; an empty text for a token that has none. Null while too few nodes agree. Nodes that offer no
 * storage, as some of TRON, are queried for the rest.
 */
export async function fetchImplementation(nodes: AskedNodes, token: string): Promise<string | null> {
  const [beacon, ...own] = await Promise.all([
    askWord(nodes, storage(token, BEACON)),
    ...SLOTS.map(slot => askWord(nodes, storage(token, slot))),
    askWord(nodes, call(token, UPGRADED)),
  ])
  if (beacon == null || own.includes(null)) return null
  const found = own.find(each => each !== 0n)
  if (found) return addressOf(found)
  const named = await askWord(nodes, call(beacon === 0n ? token : addressOf(beacon), IMPLEMENTATION))
  return named === null ? null : named === 0n ? '' : addressOf(named)
}

const storage = (token: string, slot: string): JsonRpcCall => ({
  method: 'eth_getStorageAt',
  params: [token, slot, 'latest'],
})
const call = (to: string, data: string): JsonRpcCall => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })
const addressOf = (word: bigint) => `0x${word.toString(16).padStart(40, '0').slice(-40)}`

/**
 * Returns what most nodes have in a slot, or a function returns; 0 for a function that a token does not have. Null if
 * too few agree.
 */
async function askWord(nodes: AskedNodes, request: JsonRpcCall): Promise<bigint | null> {
  const votes = await nodes.askQuorum([request], ([result]) => (result === '0x' ? 0n : readWord(result)))
  const isCall = request.method === 'eth_call'
  if (!isCall && votes.every(vote => vote instanceof CallRefused && vote.code === NO_METHOD)) return 0n
  const answers = votes.map(vote => (isCall && vote instanceof CallRefused ? 0n : vote))
  return /* guard: implementation-agreed */ findMajorityBalance(answers, nodes.size) /* end */
}
