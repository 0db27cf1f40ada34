import { type FieldEvidence, type FieldShape, REPORTED_HEADER_FIELDS } from '../evm/fields.ts'

/** How a value stands in an answer of the HTTP API, with its bound in bytes, characters or items. */
export type TronShape =
  /** Hex of this many bytes, without 0x. */
  | { readonly is: 'bare'; readonly bytes: number }
  /** Hex of any number of bytes up to a bound, without 0x. */
  | { readonly is: 'bare data'; readonly most: number }
  /** A whole number that JSON holds exactly. */
  | { readonly is: 'whole' }
  | { readonly is: 'text'; readonly most: number }
  | { readonly is: 'flag' }
  | { readonly is: 'list'; readonly of: TronShape; readonly most: number }
  | { readonly is: 'object'; readonly fields: readonly TronField[] }
  /** What a payer may choose, and must not make a block unreadable with: read as it is, as a rule of this shape. */
  | { readonly is: 'loose'; readonly as: TronShape }

export type TronField = {
  readonly name: string
  readonly shape: TronShape
  readonly cover: FieldEvidence
  /** Whether it may be left out: the API omits zeros and empty lists. */
  readonly optional?: true
  /** Its number in the message that is hashed. */
  readonly number?: number
}

const bare = (bytes: number): TronShape => ({ is: 'bare', bytes })
const data: TronShape = { is: 'bare data', most: 2 ** 22 }
const whole: TronShape = { is: 'whole' }
const text: TronShape = { is: 'text', most: 2 ** 16 }
const flag: TronShape = { is: 'flag' }
const loose = (as: TronShape): TronShape => ({ is: 'loose', as })
/** Items of a list: more than the transactions, or the logs of a transaction, of any block. */
const many = 65_536
const list = (of: TronShape, most = many): TronShape => ({ is: 'list', of, most })
const hash = bare(32)

/** Fields of an object. `?` ends the name of one that is optional. */
function fields(cover: FieldEvidence, shapes: Record<string, TronShape>): TronField[] {
  return Object.entries(shapes).map(([name, shape]) => {
    const field = { name: name.replace('?', ''), shape, cover }
    return name.endsWith('?') ? { ...field, optional: true } : field
  })
}

const object = (all: readonly TronField[]): TronShape => ({ is: 'object', fields: all })
const reported = (shapes: Record<string, TronShape>) => object(fields('most nodes', shapes))

/** What a block's id is the hash of (`protocol.BlockHeader.raw`), in the order of the numbers of its fields. */
export const TRON_HEADER_FIELDS: readonly TronField[] = fields('block hash', {
  timestamp: whole,
  txTrieRoot: hash,
  parentHash: hash,
  'number?': whole,
  'witness_id?': whole,
  // The genesis block has a text.
  witness_address: data,
  'version?': whole,
  'accountStateRoot?': data,
}).map((field, i) => ({ ...field, number: [1, 2, 3, 7, 8, 9, 10, 11][i]! }))

/** What a transaction's part of the root is made of (`protocol.Transaction`). */
const transaction = object([
  ...fields('compared', { txID: hash }),
  ...fields('transactions root', {
    raw_data_hex: data,
    'signature?': list(data),
    'ret?': loose(list(object(fields('transactions root', { 'contractRet?': text })))),
  }),
])
const head = [
  ...fields('compared', { blockID: hash }),
  ...fields('block hash', { block_header: object(fields('block hash', { raw_data: object(TRON_HEADER_FIELDS) })) }),
]
export const BLOCK_HEAD_SHAPE = object(head)
export const BLOCK_SHAPE = object([...head, ...fields('transactions root', { 'transactions?': list(transaction) })])
export const BLOCK_LIST_SHAPE = object(fields('block hash', { 'block?': list(BLOCK_SHAPE, 100) }))

/** The result of an executed transaction. Contracts log what they like, but in this form. */
export const TRANSACTION_INFO_SHAPE = reported({
  id: hash,
  'blockNumber?': whole,
  'fee?': whole,
  'result?': text,
  'receipt?': reported({ 'result?': text }),
  'log?': list(reported({ 'address?': data, 'topics?': list(hash, 4), 'data?': data })),
})
export const TRANSACTION_INFO_LIST_SHAPE = list(TRANSACTION_INFO_SHAPE)
export const SENT_TRANSACTION_SHAPE = reported({ txID: hash })
export const ACCOUNT_SHAPE = reported({ 'balance?': whole, 'type?': text })
export const ACCOUNT_RESOURCES_SHAPE = reported({
  'EnergyLimit?': whole,
  'EnergyUsed?': whole,
  'TotalEnergyLimit?': whole,
  'TotalEnergyWeight?': whole,
})
export const LENDABLE_STAKE_SHAPE = reported({ 'max_size?': whole })
export const CHAIN_PARAMETERS_SHAPE = reported({
  chainParameter: list(reported({ key: text, 'value?': loose(whole) })),
})
export const DRY_RUN_SHAPE = reported({
  'result?': reported({ 'result?': flag }),
  'energy_used?': whole,
  'constant_result?': list(data),
  'transaction?': reported({ 'ret?': list(reported({ 'ret?': text })) }),
})
export const BROADCAST_RESULT_SHAPE = object([
  ...fields('most nodes', { 'result?': flag, 'code?': text, 'message?': text }),
  ...fields('compared', { 'txid?': hash }),
])

const reportedHeader: FieldShape = { is: 'object', fields: REPORTED_HEADER_FIELDS }

/** What is used of the answers, by path and method. */
export const TRON_ANSWER_SHAPES = {
  eth_getBlockByNumber: reportedHeader,
  '/wallet/getblockbyid': BLOCK_SHAPE,
  '/wallet/getblockbylimitnext': BLOCK_LIST_SHAPE,
  '/walletsolidity/getnowblock': BLOCK_HEAD_SHAPE,
  '/wallet/gettransactioninfobyblocknum': TRANSACTION_INFO_LIST_SHAPE,
  '/wallet/gettransactioninfobyid': TRANSACTION_INFO_SHAPE,
  '/walletsolidity/gettransactioninfobyid': TRANSACTION_INFO_SHAPE,
  '/walletsolidity/gettransactionbyid': SENT_TRANSACTION_SHAPE,
  '/wallet/getaccount': ACCOUNT_SHAPE,
  '/walletsolidity/getaccount': ACCOUNT_SHAPE,
  '/wallet/getaccountresource': ACCOUNT_RESOURCES_SHAPE,
  '/wallet/getcandelegatedmaxsize': LENDABLE_STAKE_SHAPE,
  '/wallet/getchainparameters': CHAIN_PARAMETERS_SHAPE,
  '/wallet/triggerconstantcontract': DRY_RUN_SHAPE,
  '/wallet/broadcasthex': BROADCAST_RESULT_SHAPE,
} as const satisfies Record<string, FieldShape | TronShape>
