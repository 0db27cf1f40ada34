import type { FieldShape } from '../evm/fields.ts'

const number: FieldShape = { is: 'quantity', most: 32 }
const bytes: FieldShape = { is: 'data', most: 2 ** 22 }
const list = (of: FieldShape): FieldShape => ({ is: 'list', of, most: 1_024 })
const object = (shapes: Record<string, FieldShape>): FieldShape => ({
  is: 'object',
  fields: Object.entries(shapes).map(([name, shape]) => ({ name, shape, cover: 'most nodes' })),
})

/** Answers that are not about blocks, by method: what accounts hold, what fees are, and what a call would do. */
export const ACCOUNT_ANSWER_SHAPES: Readonly<Record<string, FieldShape>> = {
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

const word: FieldShape = { is: 'bytes', bytes: 32 }

/** Logs that `eth_getLogs` returns. */
export const LOGS: FieldShape = list(
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
