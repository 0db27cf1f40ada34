/**
 * What vouches for a field: a hash, that most nodes must report the same, or that it is only compared with what is
 * known.
 */
export type FieldEvidence = 'block hash' | 'transactions root' | 'receipts root' | 'most nodes' | 'compared'

/** How a value stands in JSON, with its bound in bytes or items. */
export type FieldShape =
  /** Hex of this many bytes. */
  | { readonly is: 'bytes'; readonly bytes: number }
  /** Hex of any number of bytes up to a bound. */
  | { readonly is: 'data'; readonly most: number }
  /** A whole number in hex, of at most this many bytes. */
  | { readonly is: 'quantity'; readonly most: number }
  | { readonly is: 'flag' }
  | { readonly is: 'list'; readonly of: FieldShape; readonly most: number }
  | { readonly is: 'object'; readonly fields: readonly EvmField[] }
  /** An object whose fields depend on its type, itself a field. */
  | { readonly is: 'typed'; readonly types: Readonly<Record<number, readonly EvmField[]>> }

export type EvmField = {
  readonly name: string
  /** Another name under which some nodes have it. */
  readonly or?: string
  readonly shape: FieldShape
  readonly cover: FieldEvidence
  /** Whether it may be null or left out. */
  readonly optional?: true
}

const bytes = (count: number): FieldShape => ({ is: 'bytes', bytes: count })
const data = (most: number): FieldShape => ({ is: 'data', most })
const quantity = (most: number): FieldShape => ({ is: 'quantity', most })
const list = (of: FieldShape, most: number): FieldShape => ({ is: 'list', of, most })
const hash = bytes(32)
const address = bytes(20)
const bloom = bytes(256)
const amount = quantity(32)
const count = quantity(8)
/** Input and logs: a block of 30 million gas holds less. */
const input = data(2 ** 22)
/** Items of a list: more than the transactions, or the logs of a transaction, of any block. */
const many = 65_536

/** Fields in the order of their encoding. `|` precedes another name, and `?` ends one that is optional. */
function fields(cover: FieldEvidence, shapes: Record<string, FieldShape>): EvmField[] {
  return Object.entries(shapes).map(([text, shape]) => {
    const [name = '', or] = text.replace('?', '').split('|')
    return { name, shape, cover, ...(or && { or }), ...(text.endsWith('?') && { optional: true }) }
  })
}

/** Fields of every header (Yellow Paper, 4.4.3), then those that forks appended: EIP-1559, 4895, 4844, 4788, 7685. */
export const HEADER_FIELDS = fields('block hash', {
  parentHash: hash,
  sha3Uncles: hash,
  miner: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: bloom,
  difficulty: amount,
  number: count,
  gasLimit: count,
  gasUsed: count,
  timestamp: count,
  // Chains of few validators have their list and seals in it.
  extraData: data(2 ** 14),
  mixHash: hash,
  nonce: bytes(8),
  'baseFeePerGas?': amount,
  'withdrawalsRoot?': hash,
  'blobGasUsed?': count,
  'excessBlobGas?': count,
  'parentBeaconBlockRoot?': hash,
  'requestsHash?': hash,
})
/**
 * The place behind which Avalanche's headers differ: they have a hash of what moves between its chains, and fields of
 * their own behind.
 */
const common = HEADER_FIELDS.findIndex(({ name }) => name === 'nonce') + 1
/** Fields of the headers of Avalanche's C-Chain (coreth, `Header`), up to Granite. */
export const AVALANCHE_HEADER_FIELDS = [
  ...HEADER_FIELDS.slice(0, common),
  ...fields('block hash', {
    extDataHash: hash,
    'baseFeePerGas?': amount,
    'extDataGasUsed?': amount,
    'blockGasCost?': amount,
    'blobGasUsed?': count,
    'excessBlobGas?': count,
    'parentBeaconBlockRoot?': hash,
    'timestampMilliseconds?': count,
    'minDelayExcess?': count,
  }),
]
/** What JSON-RPC returns with a header and is no part of it, on Ethereum and on chains of Arbitrum's. */
export const UNHASHED_HEADER_FIELDS = new Set([
  'hash',
  'size',
  'totalDifficulty',
  'transactions',
  'uncles',
  'withdrawals',
  'l1BlockNumber',
  'sendCount',
  'sendRoot',
  'blockExtraData',
])
/** What a field that a later fork appends may be, in the order in which it is tried. */
export const APPENDED_FIELD_SHAPES: readonly FieldShape[] = [hash, amount]

const called = { gas: count, 'to?': address, value: amount, input }
const accessed = { 'accessList?': list(objectOf({ address, storageKeys: list(hash, many) }), many) }
const signature = { 'yParity|v': amount, r: amount, s: amount }
const offered = { chainId: amount, nonce: count, maxPriorityFeePerGas: amount, maxFeePerGas: amount, ...called }
const authorization = { chainId: amount, address, nonce: count, 'yParity|v': amount, r: amount, s: amount }
const priced = { 'maxFeePerGas|gasPrice': amount, ...called }

function objectOf(shapes: Record<string, FieldShape>): FieldShape {
  return { is: 'object', fields: fields('transactions root', shapes) }
}

const types: Record<number, Record<string, FieldShape>> = {
  0: { nonce: count, gasPrice: amount, ...called, v: amount, r: amount, s: amount },
  1: { chainId: amount, nonce: count, gasPrice: amount, ...called, ...accessed, ...signature },
  2: { ...offered, ...accessed, ...signature },
  3: { ...offered, ...accessed, maxFeePerBlobGas: amount, blobVersionedHashes: list(hash, many), ...signature },
  4: { ...offered, ...accessed, authorizationList: list(objectOf(authorization), many), ...signature },
  126: {
    sourceHash: hash,
    from: address,
    'to?': address,
    'mint?': amount,
    value: amount,
    gas: count,
    'isSystemTx?': { is: 'flag' },
    input,
  },
  100: { chainId: amount, requestId: hash, from: address, 'to?': address, value: amount },
  101: { chainId: amount, from: address, nonce: count, ...priced },
  102: { chainId: amount, requestId: hash, from: address, ...priced },
  104: {
    chainId: amount,
    nonce: count,
    from: address,
    ...priced,
    ticketId: hash,
    'refundTo?': address,
    maxRefund: amount,
    submissionFeeRefund: amount,
  },
  105: {
    chainId: amount,
    requestId: hash,
    from: address,
    l1BaseFee: amount,
    depositValue: amount,
    'maxFeePerGas|gasPrice': amount,
    gas: count,
    'retryTo?': address,
    retryValue: amount,
    beneficiary: address,
    maxSubmissionFee: amount,
    'refundTo?': address,
    retryData: input,
  },
  106: { chainId: amount, input },
}

/**
 * Fields of transactions by type, in the order of their encoding: signed ones, deposits of OP chains (0x7e), and those
 * that Arbitrum adds: deposit, unsigned, contract, retry, submit retryable, internal.
 */
export const TRANSACTION_FIELDS: Readonly<Record<number, readonly EvmField[]>> = Object.fromEntries(
  Object.entries(types).map(([type, shapes]) => [type, fields('transactions root', shapes)]),
)

const log = { address, topics: list(hash, 4), data: input }
const ran = {
  cumulativeGasUsed: count,
  logsBloom: bloom,
  logs: list({ is: 'object', fields: fields('receipts root', log) }, many),
}
/** Fields of a receipt: since Byzantium (EIP-658), before it, and of a deposit on OP chains since Canyon. */
export const RECEIPT_FIELDS = fields('receipts root', { status: quantity(1), ...ran })
export const STATE_ROOT_RECEIPT_FIELDS = fields('receipts root', { root: hash, ...ran })
export const DEPOSIT_RECEIPT_FIELDS = fields('receipts root', {
  status: quantity(1),
  ...ran,
  depositNonce: count,
  depositReceiptVersion: count,
})
/** What is used of a receipt that its root does not cover; see docs/decisions/verified-blocks.md. */
export const UNROOTED_RECEIPT_FIELDS = fields('most nodes', {
  transactionHash: hash,
  blockHash: hash,
  blockNumber: count,
  gasUsed: count,
  // The most that a fee can be of is the gas of a block: their product fits an amount, too.
  effectiveGasPrice: quantity(16),
})
/** What receipts of OP chains report of charges beyond gas. */
export const SURCHARGE_FIELDS = fields('most nodes', {
  'l1Fee?': amount,
  'operatorFeeScalar?': count,
  'operatorFeeConstant?': count,
  'daFootprintGasScalar?': count,
})
/** What is used of a block and its transactions where roots cannot be computed. */
export const REPORTED_HEADER_FIELDS = fields('most nodes', {
  number: count,
  hash,
  parentHash: hash,
  timestamp: count,
  'logsBloom?': bloom,
  'baseFeePerGas?': amount,
})
export const REPORTED_TRANSACTION_FIELDS = fields('most nodes', {
  hash,
  from: address,
  'to?': address,
  value: amount,
  gas: count,
})

/** Transactions as nodes report them: what is hashed, and what is read where it is not. */
const answered = Object.fromEntries(
  Object.entries(TRANSACTION_FIELDS).map(([type, own]) => {
    const beside = REPORTED_TRANSACTION_FIELDS.filter(({ name }) => !own.some(field => field.name === name))
    return [type, [...fields('transactions root', { type: quantity(1) }), ...own, ...beside]]
  }),
)
const block: FieldShape = {
  is: 'object',
  fields: [
    ...HEADER_FIELDS,
    ...fields('compared', { hash }),
    ...fields('transactions root', { transactions: list({ is: 'typed', types: answered }, many) }),
  ],
}
const receipt: FieldShape = {
  is: 'object',
  fields: [
    ...fields('receipts root', { type: quantity(1) }),
    ...RECEIPT_FIELDS,
    ...UNROOTED_RECEIPT_FIELDS,
    ...SURCHARGE_FIELDS,
  ],
}

/** What is used of the answers about blocks, by method. */
export const EVM_ANSWER_SHAPES = {
  eth_getBlockByNumber: block,
  eth_getBlockByHash: block,
  eth_getBlockReceipts: list(receipt, many),
  eth_getTransactionReceipt: receipt,
} as const satisfies Record<string, FieldShape>
