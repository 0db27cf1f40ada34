import { TRANSFER } from '../evm/decoding.ts'

export type Raw = Record<string, unknown>

/** Selector of the test contract's `payAndFail(token, to, value)`. */
const PAY_AND_FAIL = '0x4c1aa2f3'
const ZEROS = (bytes: number) => `0x${'00'.repeat(bytes)}`

/** Makes a TRON block id: its first eight bytes are the height. */
export function blockId(number: number, hash: unknown): string {
  return `0x${number.toString(16).padStart(16, '0')}${String(hash).slice(18)}`
}

/** Fields of blocks, receipts and transactions that TRON's nodes do not have. */
const notOfTron = new Set([
  ...[
    'withdrawalsRoot',
    'withdrawals',
    'blobGasUsed',
    'excessBlobGas',
    'blobGasPrice',
    'parentBeaconBlockRoot',
    'requestsHash',
  ],
  ...['chainId', 'maxFeePerGas', 'maxPriorityFeePerGas', 'accessList', 'yParity', 'blockTimestamp'],
])

const ofTron = <T extends Raw>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !notOfTron.has(name))) as T

/** A block as TRON's JSON-RPC returns it: fields without a counterpart in TRON are constant. */
export function blockShape(block: Raw): Raw {
  const number = Number(block.number)
  return {
    ...ofTron(block),
    hash: blockId(number, block.hash),
    parentHash: number === 0 ? ZEROS(32) : blockId(number - 1, block.parentHash),
    logsBloom: ZEROS(256),
    nonce: ZEROS(8),
    sha3Uncles: ZEROS(32),
    receiptsRoot: ZEROS(32),
    mixHash: ZEROS(32),
    stateRoot: '0x',
    extraData: '0x',
    baseFeePerGas: '0x0',
    difficulty: '0x0',
  }
}

/** A log, receipt or transaction as TRON's JSON-RPC returns it, with TRON's block id. */
export function placed<T extends Raw>(value: T): T {
  const { r, s } = value
  const signature = r === undefined ? {} : { nonce: null, r: padded(r), s: padded(s) }
  return { ...ofTron(value), ...signature, blockHash: blockId(Number(value.blockNumber), value.blockHash) }
}

const padded = (word: unknown) => `0x${bare(word).padStart(64, '0')}`

/** The log of a reverted `payAndFail`, which TRON nodes may still return; null for other transactions. */
export function failedTransferLog(transaction: Raw, logIndex: number): Raw | null {
  const input = String(transaction.input)
  if (!input.startsWith(PAY_AND_FAIL)) return null
  const word = (i: number) => input.slice(10 + 64 * i, 74 + 64 * i)
  return {
    address: `0x${word(0).slice(24)}`,
    topics: [TRANSFER, `0x${String(transaction.from).slice(2).padStart(64, '0')}`, `0x${word(1)}`],
    data: `0x${word(2)}`,
    blockNumber: transaction.blockNumber,
    blockHash: transaction.blockHash,
    transactionHash: transaction.hash,
    transactionIndex: transaction.transactionIndex,
    logIndex: `0x${logIndex.toString(16)}`,
    removed: false,
  }
}

/** A block as the HTTP API returns it. Transactions in `shownAsTrc10` appear as transfers of a TRC-10 token. */
export function httpBlock(block: Raw, receipts: Raw[], shownAsTrc10: ReadonlySet<string>): Raw {
  const shaped = blockShape(block)
  const transactions = (block.transactions as Raw[]).map((transaction, i) => {
    const succeeded = receipts[i]!.status === '0x1'
    return {
      txID: bare(transaction.hash),
      ret: [{ contractRet: succeeded ? 'SUCCESS' : 'REVERT' }],
      raw_data: { contract: [contractOf(transaction, shownAsTrc10.has(String(transaction.hash)))] },
    }
  })
  return {
    blockID: bare(shaped.hash),
    block_header: {
      raw_data: {
        number: Number(block.number),
        parentHash: bare(shaped.parentHash),
        timestamp: Number(block.timestamp) * 1000,
      },
    },
    // Protocol Buffers omit empty lists.
    ...(transactions.length > 0 ? { transactions } : {}),
  }
}

/** The result of a transaction, as the HTTP API returns it. */
export function httpInfo(transaction: Raw, receipt: Raw): Raw {
  const succeeded = receipt.status === '0x1'
  const left = succeeded ? null : failedTransferLog(transaction, 0)
  const logs = left ? [left] : (receipt.logs as Raw[])
  const fee = BigInt(String(receipt.gasUsed)) * BigInt(String(receipt.effectiveGasPrice))
  const plain = transaction.input === '0x'
  const isShort = BigInt(String(receipt.gasUsed)) >= BigInt(String(transaction.gas))
  return {
    id: bare(transaction.hash),
    fee: Number(fee % 1_000_000_007n),
    blockNumber: Number(receipt.blockNumber),
    contractResult: [''],
    receipt: plain ? { net_fee: 267_000 } : { result: succeeded ? 'SUCCESS' : isShort ? 'OUT_OF_ENERGY' : 'REVERT' },
    ...(succeeded ? {} : { result: 'FAILED' }),
    ...(logs.length > 0
      ? {
          log: logs.map(log => ({
            address: bare(log.address),
            topics: (log.topics as string[]).map(bare),
            data: bare(log.data),
          })),
        }
      : {}),
  }
}

function contractOf(transaction: Raw, shownAsTrc10: boolean): Raw {
  const owner_address = prefixed(transaction.from)
  const amount = Number(BigInt(String(transaction.value)))
  if (transaction.input === '0x') {
    const to_address = prefixed(transaction.to)
    return shownAsTrc10
      ? contract('TransferAssetContract', { owner_address, to_address, asset_name: '31303030303031', amount })
      : contract('TransferContract', { owner_address, to_address, amount })
  }
  const contract_address = prefixed(transaction.to ?? transaction.from)
  return contract('TriggerSmartContract', { owner_address, contract_address, data: bare(transaction.input) })
}

function contract(type: string, value: Raw): Raw {
  return { type, parameter: { type_url: `type.googleapis.com/protocol.${type}`, value } }
}

function bare(hex: unknown): string {
  return String(hex).slice(2)
}

function prefixed(address: unknown): string {
  return `41${bare(address)}`
}
