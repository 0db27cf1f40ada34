import type { ChainDefinition } from '@coffer/chains'
import { type RawJsonObject, toTronHttpBlock, withBroadcastId } from '@coffer/chains/tron/facade-shapes.ts'
import { answerOf, type Block, packed, quantity } from './block.ts'
import { type Act, type Deposit, lifeOf, TRANSFER } from './life.ts'
import { type Random, randomOf } from './random.ts'
import type { Rate } from './rates.ts'

const bare = (hex: string) => hex.slice(2)
const prefixed = (address: string) => `41${bare(address)}`
/** Larger amounts are no exact numbers in JSON (sun). */
const maxAmount = 1_000_000_000_000_000n
const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`

/** A transaction with its id, which is without 0x, and as it was broadcast. */
type Placed = Act & { id: string; sent: RawJsonObject }

/** Makes blocks of TRON, as both interfaces of its nodes show them. */
export function tronBlocks(definition: ChainDefinition, rate: Rate) {
  const random = randomOf(definition.id)
  const tokens = definition.tokens.map(each => each.contract)
  const life = lifeOf(random, rate, tokens)
  const payer = random.hex(20)
  let parentHash = zeros(32)
  return {
    /** Makes the next block. `time` is in Unix seconds; without `isFull` it holds nothing. */
    next: async (number: number, time: number, isFull: boolean, deposits: readonly Deposit[]): Promise<Block> => {
      const count = isFull ? Math.round(rate.transactions * (0.5 + random.below(1_000) / 1_000)) : 0
      const acts = [
        ...Array.from({ length: count }, () => life.next()),
        ...deposits.map(deposit => life.transfer(payer, deposit)),
      ]
      const placed = acts.map((act): Placed => {
        const { from, to, value, input } = act
        const amount = quantity(value % maxAmount)
        const sent = withBroadcastId<RawJsonObject>({
          from,
          to,
          value: amount,
          input,
          gas: '0xffffff',
          hash: random.hex(32),
        })
        return { ...act, id: bare(String(sent.hash)), sent }
      })
      const receipts = placed.map(() => ({ status: '0x1' }))
      const sent = { number, timestamp: time, transactions: placed.map(each => each.sent) }
      const shown = toTronHttpBlock(sent, receipts, bare(parentHash), random.hex(32))
      const hash = `0x${shown.blockID}`
      const own = deposits.length
      const block = blockOf({ number, time, hash, parentHash, placed, own, tokens, random, shown })
      parentHash = hash
      return block
    },
  }
}

interface Content {
  number: number
  time: number
  hash: string
  parentHash: string
  placed: Placed[]
  /** How many of the transactions, the last ones, are deposits. */
  own: number
  tokens: readonly string[]
  random: Random
  /** The block as the HTTP API shows it. */
  shown: RawJsonObject
}

function blockOf(content: Content): Block {
  const { number, hash, placed, own, tokens } = content
  const infos = placed.map(each => infoOf(each, content))
  const logs = placed.flatMap((each, i) => each.logs.map(log => ({ ...log, ...placeOf(each, i, content) })))
  const accepted = logs
    .map((log, i) => ({ ...log, logIndex: quantity(i), removed: false }))
    .filter(({ address, topics }) => tokens.includes(address) && topics[0] === TRANSFER)
  const single = placed.slice(placed.length - own).flatMap((each, i) => {
    const place = placeOf(each, placed.length - own + i, content)
    return [
      [`eth_getTransactionReceipt 0x${each.id}`, answerOf(receiptOf(each, place))],
      [`/wallet/gettransactioninfobyid ${each.id}`, packed(JSON.stringify(infoOf(each, content)))],
    ] as const
  })
  return {
    number,
    hash,
    count: placed.length,
    answers: {
      header: answerOf(headerOf(content)),
      eth_getLogs: answerOf(accepted),
      '/wallet/getblockbyid': packed(JSON.stringify(content.shown)),
      '/wallet/gettransactioninfobyblocknum': packed(JSON.stringify(infos)),
    },
    transactions: Object.fromEntries(single),
  }
}

const placeOf = ({ id }: Placed, index: number, { number, hash }: Content) => ({
  blockHash: hash,
  blockNumber: quantity(number),
  transactionHash: `0x${id}`,
  transactionIndex: quantity(index),
})

const headerOf = ({ number, time, hash, parentHash, placed }: Content) => ({
  baseFeePerGas: '0x0',
  difficulty: '0x0',
  extraData: '0x',
  gasLimit: '0x236a8f8e0',
  gasUsed: '0x1c2d7f',
  hash,
  logsBloom: zeros(256),
  miner: zeros(20),
  mixHash: zeros(32),
  nonce: zeros(8),
  number: quantity(number),
  parentHash,
  receiptsRoot: zeros(32),
  sha3Uncles: zeros(32),
  size: '0xe110',
  stateRoot: '0x',
  timestamp: quantity(time),
  transactions: placed.map(({ id }) => `0x${id}`),
  transactionsRoot: zeros(32),
  uncles: [],
})

function infoOf({ id, to, input, logs }: Placed, { number, time }: Content) {
  const call = {
    contractResult: ['0'.repeat(64)],
    contract_address: prefixed(to),
    receipt: { energy_usage: 64_285, energy_usage_total: 64_285, net_fee: 345_000, result: 'SUCCESS' },
    log: logs.map(({ address, topics, data }) => ({
      address: bare(address),
      topics: topics.map(bare),
      data: bare(data),
    })),
  }
  const rest = input === '0x' ? { contractResult: [''], receipt: { net_usage: 268 } } : call
  return { id, fee: 345_000, blockNumber: number, blockTimeStamp: time * 1_000, ...rest }
}

function receiptOf({ from, to, logs }: Placed, place: ReturnType<typeof placeOf>) {
  return {
    ...place,
    contractAddress: null,
    cumulativeGasUsed: '0x646e2',
    effectiveGasPrice: '0x8c',
    gasUsed: '0x0',
    from,
    to,
    logs: logs.map((log, i) => ({ ...log, ...place, logIndex: quantity(i), removed: false })),
    logsBloom: zeros(256),
    status: '0x1',
    type: '0x0',
  }
}
