import { readBigInt } from '../jsonrpc/answers.ts'
import { Missing } from '../jsonrpc/nodes.ts'

/** What the HTTP interface says about one transaction after it was executed. Ids and hashes without 0x. */
export type TronInfo = {
  id: string
  /** In sun, bandwidth and energy together. */
  fee: bigint
  succeeded: boolean
  logs: { address: string; topics: string[]; data: string }[]
}

/** A plain transfer of TRX, as a block of the HTTP interface has it. `amount` is null where the JSON number lost digits. */
export type TronTransfer = { txid: string; index: number; from: string; to: string; amount: bigint | null }

export type TronBlock = { id: string; transfers: TronTransfer[] }

type Raw = Record<string, unknown>

/** The block's list of executed transactions. Blocks without any give an empty list; the first block gives `{}`. */
export function readInfos(value: unknown): TronInfo[] {
  if (Array.isArray(value)) return value.map(readInfo)
  if (Object.keys(record(value)).length === 0) return []
  throw new Error('an answer that is not a list of transactions')
}

/** One executed transaction, or null for `{}`, which is how the node says that it has none. */
export function readInfoOrNone(value: unknown): TronInfo | null {
  return Object.keys(record(value)).length === 0 ? null : readInfo(value)
}

/** A block with the plain transfers in it, or null for `{}`. */
export function readTronBlock(value: unknown): TronBlock | null {
  const block = record(value)
  if (Object.keys(block).length === 0) return null
  const transactions = block.transactions ?? []
  if (!Array.isArray(transactions)) throw new Error('a block whose transactions are not a list')
  return { id: readId(block.blockID), transfers: transactions.flatMap(readTransfer) }
}

/** To whom a transaction went and with how much, as the Ethereum-like interface has it. Throws Missing for null. */
export function readTransaction(value: unknown): { to: string; value: bigint } {
  if (value === null) throw new Missing('no such transaction')
  const { to, value: amount } = record(value)
  return { to: typeof to === 'string' ? to.toLowerCase() : '', value: readBigInt(amount) }
}

/** Which block it is: the id begins with the height. */
export function readTronId(value: unknown): { number: number; hash: string } {
  const id = readId(record(value).blockID)
  return { number: Number.parseInt(id.slice(0, 16), 16), hash: `0x${id}` }
}

/** What an account holds, in sun. An account that nothing was ever paid to is `{}`, and a balance of zero is left out. */
export function readTronBalance(value: unknown): bigint {
  return BigInt(readWhole(record(value).balance ?? 0))
}

/** An address with its prefix (41 and 40 digits) in the stored form. */
export function readTronHex(value: unknown): string {
  if (typeof value !== 'string' || !/^41[0-9a-f]{40}$/i.test(value)) throw new Error('an answer without an address')
  return `0x${value.slice(2).toLowerCase()}`
}

function readInfo(value: unknown): TronInfo {
  const info = record(value)
  const receipt = record(info.receipt ?? {})
  const logs = info.log ?? []
  if (!Array.isArray(logs)) throw new Error('a transaction whose logs are not a list')
  // What is not a contract's call has no result in its receipt unless it failed.
  const outcome = receipt.result ?? 'SUCCESS'
  return {
    id: readId(info.id),
    fee: BigInt(readWhole(info.fee ?? 0)),
    succeeded: info.result !== 'FAILED' && (outcome === 'SUCCESS' || outcome === 'DEFAULT'),
    logs: logs.map(readLog),
  }
}

function readLog(value: unknown): TronInfo['logs'][number] {
  const { address, topics = [], data = '' } = record(value)
  const wrong = typeof address !== 'string' || typeof data !== 'string' || !Array.isArray(topics)
  if (wrong) throw new Error('a malformed log')
  return { address, topics, data }
}

/** Only a TransferContract moves TRX from one to another; other kinds carry amounts of other things. */
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

/** Somebody else's enormous transfer must not keep a block from being read; one to us is refused by whoever asks. */
function readAmount(value: unknown): bigint | null {
  return typeof value === 'number' && value > Number.MAX_SAFE_INTEGER ? null : BigInt(readWhole(value))
}

function readId(value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) throw new Error('an answer without a proper id')
  return value.toLowerCase()
}

/** A JSON number above this size has lost digits on the way, and with them its meaning. */
function readWhole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('an answer without a proper amount')
  return value as number
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function record(value: unknown): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('an answer of another shape')
  return value as Raw
}
