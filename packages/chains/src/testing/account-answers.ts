import type { Shape } from '../evm/fields.ts'

const number: Shape = { is: 'quantity', most: 32 }
const bytes: Shape = { is: 'data', most: 2 ** 22 }
const list = (of: Shape): Shape => ({ is: 'list', of, most: 1_024 })
const object = (shapes: Record<string, Shape>): Shape => ({
  is: 'object',
  fields: Object.entries(shapes).map(([name, shape]) => ({ name, shape, cover: 'most nodes' })),
})

/** Answers that are not about blocks, by method: what accounts hold, what fees are, and what a call would do. */
export const ACCOUNT_ANSWERS: Readonly<Record<string, Shape>> = {
  eth_chainId: number,
  eth_getBalance: number,
  eth_getTransactionCount: number,
  eth_getCode: bytes,
  eth_call: bytes,
  eth_estimateGas: number,
  eth_maxPriorityFeePerGas: number,
  eth_feeHistory: object({ baseFeePerGas: list(number), reward: list(list(number)) }),
  eth_getProof: object({ accountProof: list(bytes) }),
}

const word: Shape = { is: 'bytes', bytes: 32 }

/** Logs that `eth_getLogs` returns. */
export const LOGS: Shape = list(
  object({
    address: { is: 'bytes', bytes: 20 },
    topics: list(word),
    data: bytes,
    blockNumber: number,
    blockHash: word,
    transactionHash: word,
    logIndex: number,
    removed: { is: 'flag' },
  }),
)
