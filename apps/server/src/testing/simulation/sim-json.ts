import type { ChainKind } from '@coffer/chains'
import { TRANSFER_TOPIC } from '@coffer/chains/evm/decoding.ts'
import {
  computeKeccakHex,
  encodeReceipt,
  encodeTransaction,
  headerHash,
  type JsonObject,
} from '@coffer/chains/evm/encoding.ts'
import { listRoot } from '@coffer/chains/evm/trie.ts'
import { toHex } from '@coffer/chains/hex.ts'
import { toTronHttpBlock, withBroadcastId } from '@coffer/chains/tron/facade-shapes.ts'
import { type Deed, logsOf, payer, type SimTx } from './sim-tx.ts'

/** A block as nodes report it: its hash and roots are those of what it holds. */
export type BlockJson = {
  header: JsonObject
  transactions: JsonObject[]
  receipts: JsonObject[]
  /** The same as TRON's HTTP API returns it; null on other chains. */
  http: JsonObject | null
}

/** A contract that is called by transactions which do not send coin. */
const called = `0x${'c0'.repeat(20)}`
const emptyHash = `0x${'0'.repeat(64)}`
const noBloom = `0x${'0'.repeat(512)}`
export const hex = (value: number | bigint) => `0x${value.toString(16)}`
export const word = (digits: string) => `0x${digits.padStart(64, '0')}`

/** Returns a signed transaction without its block, and its id. */
export function transactionJson(deed: Deed | null, nonce: number, kind: ChainKind): { txid: string; json: JsonObject } {
  const [to, value] = deed?.kind === 'coin' ? [deed.to, deed.amount] : [called, 0n]
  const json = {
    type: '0x2',
    chainId: '0x1',
    nonce: hex(nonce),
    gas: '0x5208',
    maxFeePerGas: '0xa',
    maxPriorityFeePerGas: '0x1',
    from: payer,
    to,
    value: hex(value),
    input: '0x',
    accessList: [],
    yParity: '0x0',
    r: '0x1',
    s: '0x1',
  }
  const hashed = { ...json, hash: computeKeccakHex(encodeTransaction(json)) }
  const sent = kind === 'tron' ? withBroadcastId(hashed) : hashed
  return { txid: sent.hash, json: sent }
}

/**
 * Builds a block of these transactions, after one with `unrelated` logs of another contract, so that the indexes of
 * logs in the block differ after a reorg. `salt` distinguishes blocks that are otherwise equal.
 */
export function blockJson(
  {
    number,
    parentHash,
    time,
    baseFee,
    stateRoot,
    kind,
  }: {
    number: number
    parentHash: string
    time: number
    baseFee: bigint
    stateRoot: string
    kind: ChainKind
  },
  txs: readonly SimTx[],
  unrelated: number,
  salt: string,
): BlockJson {
  const first = transactionJson(null, time * 1_000 + number + unrelated, kind)
  const other = { token: called, from: payer, to: payer, amount: 1n }
  const all =
    unrelated > 0 ? [{ ...first, reverted: false, price: 10n, gas: 21_000, logs: Array(unrelated).fill(other) }] : []
  for (const tx of txs) {
    const price = tx.kind !== 'sent' ? 10n : tx.tron ? tx.tron.fee : tx.price
    const gas = tx.kind === 'sent' && tx.tron ? 1 : 21_000
    all.push({ txid: tx.txid, json: tx.json, reverted: tx.reverted ?? false, price, gas, logs: logsOf(tx) })
  }
  const receipts: JsonObject[] = all.map(({ txid, json, reverted, price, gas, logs }, place) => ({
    type: json.type,
    transactionHash: txid,
    transactionIndex: hex(place),
    blockNumber: hex(number),
    status: reverted ? '0x0' : '0x1',
    cumulativeGasUsed: hex(21_000 * (place + 1)),
    logsBloom: noBloom,
    gasUsed: hex(gas),
    effectiveGasPrice: hex(price),
    logs: (logs as ReturnType<typeof logsOf>).map(({ token, from, to, amount }) => ({
      address: token,
      topics: [TRANSFER_TOPIC, word(from.slice(2)), word(to.slice(2))],
      data: word(amount.toString(16)),
    })),
  }))
  const header: JsonObject = {
    parentHash,
    sha3Uncles: emptyHash,
    miner: payer,
    stateRoot,
    logsBloom: noBloom,
    difficulty: '0x0',
    transactionsRoot: toHex(listRoot(all.map(each => encodeTransaction(each.json)))),
    receiptsRoot: toHex(listRoot(receipts.map(encodeReceipt))),
    number: hex(number),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: hex(time),
    extraData: '0x',
    mixHash: salt,
    nonce: '0x0000000000000000',
    baseFeePerGas: hex(baseFee),
  }
  const sent = { ...header, transactions: all.map(each => each.json) }
  const http = kind === 'tron' ? toTronHttpBlock(sent, receipts, parentHash.slice(2), salt) : null
  const hash = http ? `0x${http.blockID}` : headerHash(header)
  for (const receipt of receipts) receipt.blockHash = hash
  const transactions = all.map((each, place) => ({ ...each.json, blockHash: hash, transactionIndex: hex(place) }))
  return { header: { ...header, hash }, transactions, receipts, http }
}
