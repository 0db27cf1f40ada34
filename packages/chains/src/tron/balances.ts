import type { BlockRef, RecentBalances } from '../chain.ts'
import { ChainUnavailable } from '../errors.ts'
import type { Blocks } from '../evm/blocks.ts'
import { balanceData } from '../evm/calls.ts'
import { readBigInt, readWord } from '../evm/responses.ts'
import { findMajorityBalance } from '../nodes/agree.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { toTronHexAddress } from './address.ts'
import { readTronHeader } from './content.ts'
import { callTronHttpApi } from './http-api.ts'
import { readConstantResult, readTronBalance } from './responses.ts'

export const BALANCES_DIFFER_MESSAGE = 'JSON-RPC and HTTP API report different balances'

/** Addresses per request, and requests to one node at a time. */
const atOnce = 20
/** Blocks by which the solidified blocks of nodes, also of those behind one endpoint, may differ. */
const apart = 2

/** Balances by one node; an error for each on which its interfaces differ. */
type Settled = { block: BlockRef; balances: (bigint | Error)[] }

/**
 * Reads the solidified state of all nodes: the latest state includes pending transactions, which may never be mined.
 * The JSON-RPC interface of each, which has the latest state only, must not report less, since only we can spend from
 * these addresses.
 */
export async function fetchSettledBalances(
  each: readonly Nodes[],
  blocks: Blocks,
  addresses: readonly string[],
): Promise<RecentBalances | null> {
  const all = await Promise.all(each.map(node => settledOf(node, addresses).catch((error: Error) => error)))
  // The block is one that most nodes have: what a node says about its own is not believed.
  const readings = await Promise.all(
    all.map(async (one): Promise<Settled | Error> => {
      if (one instanceof Error) return one
      const isThere = (await blocks.at(one.block.number))?.hash === one.block.hash
      return isThere ? one : new ChainUnavailable('the final block of a node is not that of most')
    }),
  )
  const found = readings.flatMap(one => (one instanceof Error ? [] : [one]))
  const agreed = found.map(({ block }): RecentBalances => {
    const height = block.number
    const near = readings.map(one =>
      one instanceof Error || (one.block.number <= height && one.block.number >= height - apart)
        ? one
        : new ChainUnavailable('final blocks of nodes are too far apart'),
    )
    const balances = addresses.map((_, i) =>
      findMajorityBalance(
        near.map(one => (one instanceof Error ? one : one.balances[i]!)),
        each.length,
      ),
    )
    const heights = near.flatMap(one => (one instanceof Error ? [] : [one.block.number]))
    return { block, oldest: Math.min(...heights), slack: apart, balances }
  })
  const missing = ({ balances }: RecentBalances) => balances.filter(balance => balance === null).length
  const [best] = agreed.sort((a, b) => missing(a) - missing(b))
  return best && missing(best) < addresses.length ? best : null
}

/** Reads the settled balances of one node. Throws ChainUnavailable if a block arrived between the requests. */
async function settledOf(node: Nodes, addresses: readonly string[]): Promise<Settled> {
  const newest = () => callTronHttpApi(node, '/walletsolidity/getnowblock', {}, readTronHeader)
  const block = await newest()
  const settled = await accountsOf(node, '/walletsolidity/getaccount', addresses)
  if ((await newest()).hash !== block.hash) throw new ChainUnavailable('a block arrived between the requests')
  const latest = await nativeOf(node, addresses)
  const balances = settled.map((balance, i) =>
    /* guard: tron-interfaces */ latest[i]! < balance /* end */
      ? new ChainUnavailable(BALANCES_DIFFER_MESSAGE)
      : balance,
  )
  return { block, balances }
}

/** Reads the current balances of all nodes, each by both interfaces; null for those on which most do not agree. */
export async function fetchCurrentBalances(
  each: readonly Nodes[],
  token: string | null,
  addresses: readonly string[],
): Promise<(bigint | null)[]> {
  const read = async (node: Nodes, part: readonly string[]) => {
    const [one, other] = await Promise.all(
      token === null
        ? [nativeOf(node, part), accountsOf(node, '/wallet/getaccount', part)]
        : [tokensOf(node, token, part), constantsOf(node, token, part)],
    )
    return one!.map((balance, i) => (balance === other![i] ? balance : new ChainUnavailable(BALANCES_DIFFER_MESSAGE)))
  }
  const balances: (bigint | null)[] = []
  for (let at = 0; at < addresses.length; at += atOnce) {
    const part = addresses.slice(at, at + atOnce)
    const answers = await Promise.all(each.map(node => read(node, part).catch((error: Error) => error)))
    if (answers.every(answer => answer instanceof Error)) throw answers[0]
    for (const i of part.keys())
      balances.push(
        findMajorityBalance(
          answers.map(answer => (answer instanceof Error ? answer : answer[i]!)),
          each.length,
        ),
      )
  }
  return balances
}

const accountsOf = (node: Nodes, path: string, addresses: readonly string[]) =>
  Promise.all(
    addresses.map(address => callTronHttpApi(node, path, { address: toTronHexAddress(address) }, readTronBalance)),
  )

const nativeOf = (node: Nodes, addresses: readonly string[]) =>
  node.askMany(
    addresses.map(address => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
    results => results.map(readBigInt),
  )

const tokensOf = (node: Nodes, token: string, addresses: readonly string[]) =>
  node.askMany(
    addresses.map(address => ({ method: 'eth_call', params: [{ to: token, data: balanceData(address) }, 'latest'] })),
    results => results.map(readWord),
  )

const constantsOf = (node: Nodes, token: string, addresses: readonly string[]) =>
  Promise.all(
    addresses.map(address => {
      const data = balanceData(address).slice(2)
      const call = { owner_address: toTronHexAddress(address), contract_address: toTronHexAddress(token), data }
      return callTronHttpApi(node, '/wallet/triggerconstantcontract', call, readConstantResult)
    }),
  )
