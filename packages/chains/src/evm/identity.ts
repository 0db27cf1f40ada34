import { ChainUnavailable } from '../errors.ts'
import type { NodeIdentity } from '../nodes/node.ts'

/**
 * A node reports the chain id, and its first block, which must stay the same: deposits must never come from a node of
 * another network, such as a testnet.
 */
export const createNodeIdentity = (chainId: number): NodeIdentity => ({
  calls: [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['0x0', false] },
  ],
  read: ([answer, block], before) => {
    const found = answer && 'result' in answer ? String(answer.result) : 'none'
    // guard: chain-id
    if (Number(found) !== chainId) throw new ChainUnavailable(`chain id is ${found}, not ${chainId}`)
    const hash = block && 'result' in block ? (block.result as { hash?: unknown } | null)?.hash : null
    const genesis = typeof hash === 'string' ? hash.toLowerCase() : null
    // guard: genesis
    if (before && genesis !== before) throw new ChainUnavailable('the first block is another one than before')
    return genesis
  },
})
