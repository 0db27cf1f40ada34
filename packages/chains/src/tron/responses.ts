import { readBigInt } from '../evm/responses.ts'
import { Missing } from '../nodes/nodes.ts'

/** Result of an executed transaction, from the HTTP API. Ids and hashes are without 0x. */
export type TronInfo = {
  id: string
  /** In sun, for bandwidth and energy together. */
  fee: bigint
  succeeded: boolean
  /** Whether its limit did not buy the energy that it took. */
  outOfEnergy: boolean
  logs: { address: string; topics: string[]; data: string }[]
}

/** A plain transfer of TRX in a block of the HTTP API. `amount` is in sun; null if the JSON number is beyond exact integers. */
export type TronTransfer = { txid: string; index: number; from: string; to: string; amount: bigint | null }

export type TronBlock = { id: string; transfers: TronTransfer[] }

type Raw = Record<string, unknown>

/** Reads a block's executed transactions. A block without any is an empty list, the genesis block `{}`. */
export function readInfos(value: unknown): TronInfo[] {
  if (Array.isArray(value)) return value.map(readInfo)
  if (Object.keys(record(value)).length === 0) return []
  throw new Error('response is not a list of transactions')
}

/** Reads one executed transaction, or null for `{}`, which means not found. */
export function readInfoOrNone(value: unknown): TronInfo | null {
  return Object.keys(record(value)).length === 0 ? null : readInfo(value)
}

/** Reads a block with its plain transfers, or null for `{}`, which means not found. */
export function readTronBlock(value: unknown): TronBlock | null {
  const block = record(value)
  if (Object.keys(block).length === 0) return null
  const transactions = block.transactions ?? []
  if (!Array.isArray(transactions)) throw new Error('transactions of the block are not a list')
  return { id: readId(block.blockID), transfers: transactions.flatMap(readTransfer) }
}

/** Reads sender, receiver and value of a transaction from the JSON-RPC interface. Throws Missing for null. */
export function readTransaction(value: unknown): { from: string; to: string; value: bigint } {
  if (value === null) throw new Missing('no such transaction')
  const { from, to, value: amount } = record(value)
  const text = (each: unknown) => (typeof each === 'string' ? each.toLowerCase() : '')
  return { from: text(from), to: text(to), value: readBigInt(amount) }
}

/** Reads a block's height and hash. The block id begins with the height. */
export function readTronId(value: unknown): { number: number; hash: string } {
  const id = readId(record(value).blockID)
  return { number: Number.parseInt(id.slice(0, 16), 16), hash: `0x${id}` }
}

/** Reads a block's time in milliseconds. */
export function readTronTime(value: unknown): number {
  return readWhole(record(record(record(value).block_header).raw_data).timestamp)
}

/** Whether the answer is `{}`, which means not found. */
export function isNothing(value: unknown): boolean {
  return Object.keys(record(value)).length === 0
}

/** Whether an account is that of a contract. */
export function readIsContract(value: unknown): boolean {
  return record(value).type === 'Contract'
}

/**
 * Reads the outcome of a broadcast.
 * @returns null if the node has the transaction, otherwise why it refused
 */
export function readBroadcast(value: unknown, txid: string): string | null {
  const { result, code, message, txid: id } = record(value)
  if (id !== undefined && `0x${readId(id)}` !== txid) throw new Error('the node returned another transaction id')
  if (result === true || code === 'DUP_TRANSACTION_ERROR') return null
  return [code, message].filter(each => typeof each === 'string' && each !== '').join(': ') || 'refused'
}

/** Reads the energy that a dry run used; null if it failed. */
export function readEnergy(value: unknown): bigint | null {
  const { result, energy_used, transaction } = record(value)
  const [outcome] = list(record(transaction ?? {}).ret)
  if (record(result).result !== true || record(outcome ?? {}).ret === 'FAILED') return null
  return BigInt(readWhole(energy_used))
}

/** Reads the number that a contract returned to a dry run. */
export function readConstant(value: unknown): bigint {
  const [word] = list(record(value).constant_result)
  if (typeof word !== 'string' || !/^[0-9a-f]{64}$/i.test(word)) throw new Error('invalid balance in response')
  return BigInt(`0x${word}`)
}

/** Reads the price of energy in sun. */
export function readEnergyPrice(value: unknown): bigint {
  const price = list(record(value).chainParameter).find(each => record(each).key === 'getEnergyFee')
  return BigInt(readWhole(record(price).value))
}

/**
 * Reads the energy that an account has left, and how the energy of the network is shared: `limit` a day over `weight` staked TRX.
 * An unused account is `{}`, and zeros are omitted.
 */
export function readResources(value: unknown): { energy: bigint; limit: bigint; weight: bigint } {
  const { EnergyLimit = 0, EnergyUsed = 0, TotalEnergyLimit = 0, TotalEnergyWeight = 0 } = record(value)
  const [own, used] = [BigInt(readWhole(EnergyLimit)), BigInt(readWhole(EnergyUsed))]
  const [limit, weight] = [BigInt(readWhole(TotalEnergyLimit)), BigInt(readWhole(TotalEnergyWeight))]
  return { energy: own > used ? own - used : 0n, limit, weight }
}

/** Reads how much staked TRX an account can lend, in sun; zero is omitted. */
export function readLendable(value: unknown): bigint {
  return BigInt(readWhole(record(value).max_size ?? 0))
}

/** Reads an account's balance in sun. An unused account is `{}`, and a zero balance is omitted. */
export function readTronBalance(value: unknown): bigint {
  return BigInt(readWhole(record(value).balance ?? 0))
}

/** Reads a hex address with its prefix (41 and 40 digits); returns the stored form. */
export function readTronHex(value: unknown): string {
  if (typeof value !== 'string' || !/^41[0-9a-f]{40}$/i.test(value)) throw new Error('invalid address in response')
  return `0x${value.slice(2).toLowerCase()}`
}

function readInfo(value: unknown): TronInfo {
  const info = record(value)
  const receipt = record(info.receipt ?? {})
  const logs = info.log ?? []
  if (!Array.isArray(logs)) throw new Error('logs of the transaction are not a list')
  // Transactions other than contract calls have no result in their receipt, unless they failed.
  const outcome = receipt.result ?? 'SUCCESS'
  return {
    id: readId(info.id),
    fee: BigInt(readWhole(info.fee ?? 0)),
    succeeded: info.result !== 'FAILED' && (outcome === 'SUCCESS' || outcome === 'DEFAULT'),
    outOfEnergy: outcome === 'OUT_OF_ENERGY',
    logs: logs.map(readLog),
  }
}

function readLog(value: unknown): TronInfo['logs'][number] {
  const { address, topics = [], data = '' } = record(value)
  const wrong = typeof address !== 'string' || typeof data !== 'string' || !Array.isArray(topics)
  if (wrong) throw new Error('malformed log')
  return { address, topics, data }
}

/** Only a TransferContract transfers TRX; the amounts of other contract types are of other tokens. */
function readTransfer(value: unknown, index: number): TronTransfer[] {
  const transaction = record(value)
  const [outcome] = list(transaction.ret)
  const [contract] = list(record(transaction.raw_data).contract)
  const { type, parameter } = record(contract)
  if (type !== 'TransferContract' || record(outcome).contractRet !== 'SUCCESS') return []
  const { owner_address, to_address, amount } = record(record(parameter).value)
  const txid = `0x${readId(transaction.txID)}`
  return [
    {
      txid,
      index,
      from: readTronHex(owner_address),
      to: readTronHex(to_address),
      amount: readAmount(amount),
    },
  ]
}

/** A huge transfer between others must not make a block unreadable; the caller rejects one to us. */
function readAmount(value: unknown): bigint | null {
  return typeof value === 'number' && value > Number.MAX_SAFE_INTEGER ? null : BigInt(readWhole(value))
}

function readId(value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) throw new Error('invalid id in response')
  return value.toLowerCase()
}

/** A larger JSON number has lost digits in parsing. */
function readWhole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('invalid amount in response')
  return value as number
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function record(value: unknown): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('response is not an object')
  return value as Raw
}
