import { transferData } from '../evm/calls.ts'
import { TRANSFER_TOPIC } from '../evm/decoding.ts'
import type { Random } from '../fake/random.ts'
import {
  type RawJsonObject,
  toTronHttpBlock,
  toTronHttpInfo,
  toTronRpcBlock,
  withBroadcastId,
} from '../tron/facade-shapes.ts'

/**
 * What a transaction does, and what became of it. A token of null is TRX; `isExtended`: its payer added what the API
 * does not show.
 */
export type MadeTron = {
  token: string | null
  to: string
  amount: bigint
  result: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY'
  isExtended?: boolean
}

/** A block as both interfaces of honest nodes report it. */
export type MadeTronBlock = {
  number: number
  hash: string
  time: number
  /** By JSON-RPC: the header, the logs of tokens, and receipts. */
  header: RawJsonObject
  logs: RawJsonObject[]
  receipts: RawJsonObject[]
  /** By the HTTP API: the block, and results of its transactions. */
  http: RawJsonObject
  infos: RawJsonObject[]
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`
const word = (digits: string) => `0x${digits.padStart(64, '0')}`
const gas = 100_000
/** The first of the blocks that are made two hours after the ones before, when what these do not have has expired. */
const laterFrom = 5
const payer = `0x${'a1'.repeat(20)}`

/** Makes the block after another one, or the first. */
export function makeTronBlock(before: MadeTronBlock | null, made: readonly MadeTron[], random: Random): MadeTronBlock {
  const number = before ? before.number + 1 : 0
  const time = 1_700_000_000 + 3 * number + (number < laterFrom ? 0 : 7_200)
  const sent = made.map(({ token, to, amount }) =>
    withBroadcastId<RawJsonObject>({
      from: payer,
      gas: hex(gas),
      hash: random.hash(),
      ...(token
        ? { to: token, value: '0x0', input: transferData(to, amount) }
        : { to, value: hex(amount), input: '0x' }),
    }),
  )
  const outcomes = made.map(({ token, to, amount, result }, i): RawJsonObject => {
    const topics = [TRANSFER_TOPIC, word(payer.slice(2)), word(to.slice(2))]
    const isLogged = token && result === 'SUCCESS'
    return {
      transactionHash: sent[i]!.hash,
      transactionIndex: hex(i),
      blockNumber: hex(number),
      from: payer,
      to: sent[i]!.to,
      type: '0x0',
      status: result === 'SUCCESS' ? '0x1' : '0x0',
      gasUsed: hex(result === 'OUT_OF_ENERGY' ? gas : 21_000 + i),
      effectiveGasPrice: '0x1a4',
      cumulativeGasUsed: hex(gas * (i + 1)),
      logsBloom: `0x${'0'.repeat(512)}`,
      logs: isLogged ? [{ address: token, topics, data: word(amount.toString(16)) }] : [],
    }
  })
  const parent = before ? before.hash.slice(2) : '0'.repeat(64)
  const shown = toTronHttpBlock({ number, timestamp: time, transactions: sent }, outcomes, parent, random.hash())
  const hash = `0x${shown.blockID}`
  const receipts = outcomes.map(each => ({ ...each, blockHash: hash }))
  const logs = receipts.flatMap((receipt: RawJsonObject) =>
    (receipt.logs as RawJsonObject[]).map(log => ({
      ...log,
      blockHash: hash,
      blockNumber: hex(number),
      transactionHash: receipt.transactionHash,
      removed: false,
    })),
  )
  const header = { number: hex(number), hash, parentHash: `0x${parent}`, timestamp: hex(time) }
  return {
    number,
    hash,
    time,
    receipts,
    header: { ...toTronRpcBlock(header), transactions: sent.map(each => each.hash) },
    logs: logs.map((log, i) => ({ ...log, logIndex: hex(i) })),
    http: made.some(each => each.isExtended) ? withoutAdditions(shown, made) : shown,
    infos: receipts.map((receipt, i) => toTronHttpInfo(sent[i]!, receipt)),
  }
}

/** A block whose root covers what the API does not show of some transactions: here, their signatures. */
function withoutAdditions(shown: RawJsonObject, made: readonly MadeTron[]): RawJsonObject {
  const hidden = (transaction: RawJsonObject, i: number) => {
    const { signature: _, ...rest } = transaction
    return made[i]!.isExtended ? rest : transaction
  }
  return { ...shown, transactions: (shown.transactions as RawJsonObject[]).map(hidden) }
}

/** What nodes know beside their blocks. */
export type MadeState = { blocks: readonly MadeTronBlock[]; token: string; balanceOf: (address: string) => bigint }

/** Energy of a transfer, its price in sun, and the energy that the payer has left. */
export const madeEnergy = { used: 64_000, price: 420, left: 9_000, lendable: 7_000_000 }

/**
 * Returns the answer of an honest node to a method of JSON-RPC or a path of the HTTP API. Its final block is two below
 * its head.
 */
export function tronAnswerOf({ blocks, token, balanceOf }: MadeState, what: string, params: unknown): unknown {
  const [first] = Array.isArray(params) ? (params as [never]) : [params as never]
  const body = first as RawJsonObject
  const final = blocks.slice(0, Math.max(1, blocks.length - 2))
  switch (what) {
    case 'eth_getBlockByNumber':
      return (first === 'latest' ? blocks.at(-1) : blocks[Number(first)])?.header ?? null
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock } = body
      const isIn = ({ number, hash }: MadeTronBlock) =>
        blockHash ? hash === blockHash : number >= Number(fromBlock) && number <= Number(toBlock)
      return blocks.filter(isIn).flatMap(({ logs }) => logs.filter(({ address }) => address === token))
    }
    case 'eth_getTransactionReceipt':
      return blocks.flatMap(({ receipts }) => receipts).find(each => each.transactionHash === first) ?? null
    case 'eth_getBalance':
      return hex(balanceOf(String(first)))
    case 'eth_call':
      return word(balanceOf(`0x${String(body.data).slice(-40)}`).toString(16))
    case '/wallet/getblockbyid':
      return blocks.find(({ hash }) => hash.slice(2) === body.value)?.http ?? {}
    case '/wallet/getblockbylimitnext':
      return { block: blocks.slice(Number(body.startNum), Number(body.endNum)).map(({ http }) => http) }
    case '/wallet/getblockbynum':
      return blocks[Number(body.num)]?.http ?? {}
    case '/walletsolidity/getnowblock':
      return final.at(-1)!.http
    case '/wallet/gettransactioninfobyblocknum':
      return blocks[Number(body.num)]?.infos ?? []
    case '/wallet/gettransactioninfobyid':
    case '/walletsolidity/gettransactioninfobyid':
      return infoIn(what.startsWith('/walletsolidity') ? final : blocks, body.value) ?? {}
    case '/walletsolidity/gettransactionbyid': {
      const all = final.flatMap(({ http }) => (http.transactions ?? []) as RawJsonObject[])
      return all.find(({ txID }) => txID === body.value) ?? {}
    }
    case '/wallet/getaccount':
    case '/walletsolidity/getaccount': {
      const balance = balanceOf(`0x${String(body.address).slice(2)}`)
      return balance > 0n ? { address: body.address, balance: Number(balance) } : {}
    }
    default:
      return accountAnswerOf(what, body, balanceOf)
  }
}

function accountAnswerOf(what: string, body: RawJsonObject, balanceOf: MadeState['balanceOf']): unknown {
  const { used, price, left, lendable } = madeEnergy
  switch (what) {
    case '/wallet/getaccountresource':
      return { EnergyLimit: left + 1_000, EnergyUsed: 1_000, TotalEnergyLimit: 180_000, TotalEnergyWeight: 19_000 }
    case '/wallet/getcandelegatedmaxsize':
      return { max_size: lendable }
    case '/wallet/getchainparameters':
      return { chainParameter: [{ key: 'getMaintenanceTimeInterval' }, { key: 'getEnergyFee', value: price }] }
    case '/wallet/triggerconstantcontract': {
      const balance = word(balanceOf(`0x${String(body.data).slice(-40)}`).toString(16)).slice(2)
      const answer = { energy_used: used, constant_result: [balance], transaction: { ret: [{}] } }
      return { result: { result: true }, ...answer }
    }
    default:
      throw new Error(`no answer to ${what}`)
  }
}

const infoIn = (blocks: readonly MadeTronBlock[], id: unknown) =>
  blocks.flatMap(({ infos }) => infos).find(each => each.id === id)
