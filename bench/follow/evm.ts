import type { ChainDefinition } from '@coffer/chains'
import { keccak } from '@coffer/chains/evm/keccak.ts'
import { listRoot } from '@coffer/chains/evm/trie.ts'
import { bytesToHex, concatBytes, type Hex, numberToHex, toRlp } from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { answerOf, type Block, quantity } from './block.ts'
import { type Act, addToBloom, type Deposit, lifeOf } from './life.ts'
import { randomOf } from './random.ts'
import type { Rate } from './rates.ts'

type Json = Record<string, unknown>
/** What is encoded: bytes in hex, a number, or a list. */
type Item = string | number | bigint | readonly Item[]
type Encodable = Hex | readonly Encodable[]
/** A transaction, the bytes that its id is the hash of, and what its receipt holds. */
interface Made {
  transaction: Json
  encoded: Uint8Array
  type: number
  logs: Act['logs']
  /** Fields that only this receipt has, and how its encoding ends. */
  more?: Json
  end?: Item[]
}

const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`
const gasPrice = 1_000_000_000
/** The fields of a header in the order of its encoding; those from `baseFeePerGas` on were appended by forks. */
const fields = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
]
const bytes = new Set(['extraData', 'nonce', 'logsBloom', 'miner'])

/** Makes blocks of an Ethereum-like chain, each with its parent's hash, and roots and a bloom of what it holds. */
export function evmBlocks(definition: ChainDefinition, rate: Rate) {
  const random = randomOf(definition.id)
  const tokens = definition.tokens.map(each => each.contract)
  const life = lifeOf(random, rate, tokens)
  const payer = generatePrivateKey()
  let parentHash = zeros(32)
  return {
    /** Makes the next block. `time` is in Unix seconds; without `isFull` it holds nothing. */
    next: async (number: number, time: number, isFull: boolean, deposits: readonly Deposit[]): Promise<Block> => {
      const count = isFull ? Math.round(rate.transactions * (0.5 + random.below(1_000) / 1_000)) : 0
      const made: Made[] = rate.adds && isFull ? [added(rate.adds, definition.chainId, number, random.hex(32))] : []
      while (made.length < count) made.push(invented(life.next(), definition.chainId, random))
      for (const deposit of deposits) {
        const act = life.transfer(privateKeyToAddress(payer), deposit)
        made.push(await signed(act, definition.chainId, random.below(1e9), payer))
      }
      const block = blockOf({ definition, rate, number, time, parentHash, made, own: deposits.length })
      parentHash = block.hash
      return block
    },
  }
}

/** The fields of a transaction before its signature, in the order of its encoding (EIP-1559). */
function unsigned({ to, value, input }: Act, chainId: number, nonce: number): [Json, Item[]] {
  const gas = 65_000
  const tip = gasPrice / 10
  return [
    {
      type: '0x2',
      chainId: quantity(chainId),
      nonce: quantity(nonce),
      gas: quantity(gas),
      gasPrice: quantity(gasPrice + tip),
      maxFeePerGas: quantity(2 * gasPrice),
      maxPriorityFeePerGas: quantity(tip),
      to,
      value: quantity(value),
      input,
      accessList: [],
    },
    [chainId, nonce, tip, 2 * gasPrice, gas, to, value, input, []],
  ]
}

/** A transaction whose signature is nobody's. */
function invented(act: Act, chainId: number, random: ReturnType<typeof randomOf>): Made {
  const [transaction, items] = unsigned(act, chainId, random.below(100_000))
  const r = BigInt(random.hex(31))
  const s = BigInt(random.hex(31))
  return finished(transaction, items, act, { yParity: random.below(2), r, s })
}

async function signed(act: Act, chainId: number, nonce: number, privateKey: `0x${string}`): Promise<Made> {
  const [transaction, items] = unsigned(act, chainId, nonce)
  const { r, s, yParity } = await sign({ hash: bytesToHex(keccak(encodeRlp(items, 2))), privateKey })
  return finished(transaction, items, act, { yParity: yParity!, r: BigInt(r), s: BigInt(s) })
}

type Signature = { yParity: number; r: bigint; s: bigint }

function finished(transaction: Json, items: Item[], { from, logs }: Act, { yParity, r, s }: Signature): Made {
  const encoded = encodeRlp([...items, yParity, r, s], 2)
  const signature = { yParity: quantity(yParity), v: quantity(yParity), r: quantity(r), s: quantity(s) }
  return { transaction: { ...transaction, from, ...signature }, encoded, type: 2, logs }
}

/**
 * The transaction that a chain adds at the start of each block: attributes of the block of layer 1, or Arbitrum's own
 * accounting.
 */
function added(adds: NonNullable<Rate['adds']>, chainId: number, number: number, hash: string): Made {
  const input = `0x${hash.slice(2).repeat(5)}`
  if (adds === 'arbitrum') {
    const system = '0x00000000000000000000000000000000000a4b05'
    const none = { nonce: '0x0', gas: '0x0', gasPrice: '0x0', value: '0x0', v: '0x0', r: '0x0', s: '0x0' }
    return {
      transaction: { type: '0x6a', chainId: quantity(chainId), from: system, to: system, input, ...none },
      encoded: encodeRlp([chainId, input], 0x6a),
      type: 0x6a,
      logs: [],
    }
  }
  const from = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
  const to = '0x4200000000000000000000000000000000000015'
  const gas = 1_000_000
  const none = { nonce: quantity(number), gasPrice: '0x0', mint: '0x0', value: '0x0', v: '0x0', r: '0x0', s: '0x0' }
  return {
    transaction: { type: '0x7e', sourceHash: hash, from, to, gas: quantity(gas), isSystemTx: false, input, ...none },
    encoded: encodeRlp([hash, from, to, 0, 0, gas, 0, input], 0x7e),
    type: 0x7e,
    logs: [],
    more: { depositNonce: quantity(number), depositReceiptVersion: '0x1' },
    end: [number, 1],
  }
}

/** What a rollup adds to each receipt. */
const ofRollup = {
  op: {
    l1Fee: '0x5f5e100',
    l1GasPrice: '0x3b9aca00',
    l1GasUsed: '0x640',
    l1BaseFeeScalar: '0x8dd',
    l1BlobBaseFee: '0x1',
    l1BlobBaseFeeScalar: '0x101c12',
  },
  arbitrum: { gasUsedForL1: '0x1f4', l1BlockNumber: '0x16e3600' },
}

interface Content {
  definition: ChainDefinition
  rate: Rate
  number: number
  time: number
  parentHash: string
  made: readonly Made[]
  /** How many of the transactions, the last ones, are deposits. */
  own: number
}

function blockOf({ definition, rate, number, time, parentHash, made, own }: Content): Block {
  const blockBloom = new Uint8Array(256)
  const encodings: Uint8Array[] = []
  const ids = made.map(each => bytesToHex(keccak(each.encoded)))
  const receipts: Json[] = []
  let cumulative = 0
  let logIndex = 0
  for (const [i, { transaction, type, logs, more, end = [] }] of made.entries()) {
    const gasUsed = type === 2 ? 21_000 + 15_000 * logs.length : 0
    cumulative += gasUsed
    const bloom = new Uint8Array(256)
    addToBloom(bloom, logs)
    for (const [at, byte] of bloom.entries()) blockBloom[at]! |= byte
    const items = logs.map(({ address, topics, data }) => [address, topics, data])
    encodings.push(encodeRlp([1, cumulative, bytesToHex(bloom), items, ...end], type))
    const place = { transactionHash: ids[i], transactionIndex: quantity(i), blockNumber: quantity(number) }
    receipts.push({
      ...place,
      type: quantity(type),
      status: '0x1',
      cumulativeGasUsed: quantity(cumulative),
      gasUsed: quantity(gasUsed),
      effectiveGasPrice: transaction.gasPrice,
      from: transaction.from,
      to: transaction.to,
      contractAddress: null,
      logsBloom: bytesToHex(bloom),
      logs: logs.map(log => ({ ...log, ...place, logIndex: quantity(logIndex++), removed: false })),
      ...(rate.adds && ofRollup[rate.adds]),
      ...more,
    })
  }
  const header = headerOf(definition, {
    parentHash,
    number: quantity(number),
    timestamp: quantity(time),
    transactionsRoot: bytesToHex(listRoot(made.map(each => each.encoded))),
    receiptsRoot: bytesToHex(listRoot(encodings)),
    logsBloom: bytesToHex(blockBloom),
    gasUsed: quantity(cumulative),
  })
  return answered({ number, header, transactions: made.map(each => each.transaction), ids, receipts, own })
}

/** Fills in the rest of a header, and its hash. Chains without roots to verify have older headers. */
function headerOf({ roots = true }: ChainDefinition, known: Json): Json {
  const header: Json = {
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: zeros(20),
    stateRoot: bytesToHex(keccak(encodeRlp(String(known.parentHash)))),
    difficulty: '0x0',
    gasLimit: '0x3938700',
    extraData: '0x636f66666572',
    mixHash: bytesToHex(keccak(encodeRlp(String(known.receiptsRoot)))),
    nonce: '0x0000000000000000',
    baseFeePerGas: quantity(gasPrice),
    ...(roots && {
      withdrawalsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      blobGasUsed: '0xc0000',
      excessBlobGas: '0x9f20000',
      parentBeaconBlockRoot: bytesToHex(keccak(encodeRlp(String(known.logsBloom)))),
      requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    }),
    ...known,
  }
  const items = fields.flatMap((name): Item[] => {
    const value = header[name]
    if (value === undefined) return []
    const text = String(value)
    return [bytes.has(name) || text.length === 66 ? text : BigInt(text)]
  })
  return { ...header, hash: bytesToHex(keccak(encodeRlp(items))), size: '0x1d4c0', uncles: [] }
}

interface Parts {
  number: number
  header: Json
  transactions: Json[]
  ids: string[]
  receipts: Json[]
  own: number
}

function answered({ number, header, transactions, ids, receipts, own }: Parts): Block {
  const hash = String(header.hash)
  const full = transactions.map((each, i) => ({
    ...each,
    hash: ids[i],
    blockHash: hash,
    blockNumber: quantity(number),
    transactionIndex: quantity(i),
  }))
  for (const receipt of receipts) {
    receipt.blockHash = hash
    for (const log of receipt.logs as Json[]) log.blockHash = hash
  }
  const single = ids
    .slice(ids.length - own)
    .flatMap((id, i) => [
      [`eth_getTransactionReceipt ${id}`, answerOf(receipts[ids.length - own + i])] as const,
      [`eth_getTransactionByHash ${id}`, answerOf(full[ids.length - own + i])] as const,
    ])
  return {
    number,
    hash,
    count: ids.length,
    answers: {
      header: answerOf({ ...header, transactions: ids }),
      full: answerOf({ ...header, transactions: full }),
      eth_getBlockReceipts: answerOf(receipts),
    },
    transactions: Object.fromEntries(single),
  }
}

function encodable(item: Item): Encodable {
  if (typeof item === 'string') return item as Hex
  // Numbers have no zeros at their start.
  if (typeof item === 'number' || typeof item === 'bigint') return item > 0 ? even(numberToHex(item)) : '0x'
  return item.map(encodable)
}

const even = (hex: Hex): Hex => (hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`)

/**
 * Encodes by RLP, after the byte of a type if there is one. By another library than the server's, so that it does not
 * verify its own.
 */
function encodeRlp(item: Item, type = 0): Uint8Array {
  const encoded = toRlp(encodable(item), 'bytes')
  return type > 0 ? concatBytes([Uint8Array.of(type), encoded]) : encoded
}
