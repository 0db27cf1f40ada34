import { toHex } from '../hex.ts'
import { runAtOnce, runPaced, WorkPacer } from '../nodes/pace.ts'
import { cleanMessage } from '../nodes/said.ts'
import {
  ACCOUNT_RESOURCES_SHAPE,
  ACCOUNT_SHAPE,
  BROADCAST_RESULT_SHAPE,
  CHAIN_PARAMETERS_SHAPE,
  DRY_RUN_SHAPE,
  LENDABLE_STAKE_SHAPE,
  SENT_TRANSACTION_SHAPE,
  TRANSACTION_INFO_LIST_SHAPE,
  TRANSACTION_INFO_SHAPE,
} from './fields.ts'
import { isEmptyAnswer, type ReadFields, readByShape, readByShapeInSteps, readWhole } from './reading.ts'

/** Result of an executed transaction, from the HTTP API, of which most nodes must report the same. */
export type TronInfo = {
  txid: string
  /** Where a node says that it is. */
  blockNumber: number | null
  /** In sun, for bandwidth and energy together. */
  fee: bigint
  succeeded: boolean
  /** Whether its limit did not buy the energy that it took. */
  outOfEnergy: boolean
  logs: { address: string; topics: string[]; data: string }[]
}

type ReadLog = { address?: Buffer; topics?: Buffer[]; data?: Buffer }
type ReadInfo = {
  id: Buffer
  blockNumber?: number
  fee?: number
  result?: string
  receipt?: { result?: string }
  log?: ReadLog[]
}

/** Reads a block's executed transactions. A block without any is an empty list, the genesis block `{}`. */
export const parseTransactionInfos = (value: unknown): TronInfo[] => runAtOnce(infosOf(value))

/** The same with pauses, for what a node sent. */
export const parseTransactionInfosPaced = (value: unknown): Promise<TronInfo[]> =>
  runPaced(infosOf(value), new WorkPacer())

function* infosOf(value: unknown): Generator<number, TronInfo[]> {
  if (!Array.isArray(value) && isEmptyAnswer(value)) return []
  const infos: TronInfo[] = []
  for (const info of (yield* readByShapeInSteps(TRANSACTION_INFO_LIST_SHAPE, value)) as ReadInfo[]) {
    infos.push(infoOf(info))
    yield 0
  }
  return infos
}

/** Reads one executed transaction, or null for `{}`, which means not found. */
export function readTransactionInfo(value: unknown): TronInfo | null {
  return isEmptyAnswer(value) ? null : infoOf(readByShape(TRANSACTION_INFO_SHAPE, value) as ReadInfo)
}

/** Reads the id of a transaction, or null for `{}`, which means not found. */
export function readTransactionId(value: unknown): string | null {
  return isEmptyAnswer(value) ? null : toHex((readByShape(SENT_TRANSACTION_SHAPE, value) as { txID: Buffer }).txID)
}

function infoOf({ id, blockNumber, fee = 0, result, receipt = {}, log = [] }: ReadInfo): TronInfo {
  // Transactions other than contract calls have no result in their receipt, unless they failed.
  const outcome = receipt.result ?? 'SUCCESS'
  return {
    txid: toHex(id),
    blockNumber: blockNumber ?? null,
    fee: BigInt(fee),
    succeeded: result !== 'FAILED' && (outcome === 'SUCCESS' || outcome === 'DEFAULT'),
    outOfEnergy: outcome === 'OUT_OF_ENERGY',
    logs: log.map(({ address, topics = [], data }) => ({
      address: textOf(address),
      topics: topics.map(toHex),
      data: textOf(data),
    })),
  }
}

const textOf = (bytes: Buffer | undefined) => (bytes ? toHex(bytes) : '0x')

/** Whether an account is that of a contract. */
export function readIsContractAccount(value: unknown): boolean {
  return (readByShape(ACCOUNT_SHAPE, value) as ReadFields).type === 'Contract'
}

/** Reads an account's balance in sun. An unused account is `{}`, and a zero balance is omitted. */
export function readTronBalance(value: unknown): bigint {
  const { balance = 0 } = readByShape(ACCOUNT_SHAPE, value) as { balance?: number }
  return BigInt(balance)
}

/**
 * Reads the outcome of a broadcast.
 * @returns null if the node has the transaction, otherwise why it refused
 */
export function readBroadcastRefusal(value: unknown, id: string): string | null {
  const { result, code, message, txid } = readByShape(BROADCAST_RESULT_SHAPE, value) as Record<
    string,
    string | boolean | Buffer
  >
  if (txid !== undefined && toHex(txid as Buffer) !== id) throw new Error('the node returned another transaction id')
  if (result === true || code === 'DUP_TRANSACTION_ERROR') return null
  return cleanMessage([code, message].filter(Boolean).join(': ')) || 'refused'
}

type ReadDryRun = {
  result?: { result?: boolean }
  energy_used?: number
  constant_result?: Buffer[]
  transaction?: { ret?: { ret?: string }[] }
}

/** Reads the energy that a dry run used; null if it failed. */
export function readEnergy(value: unknown): bigint | null {
  const { result, energy_used, transaction } = readByShape(DRY_RUN_SHAPE, value) as ReadDryRun
  if (result?.result !== true || transaction?.ret?.[0]?.ret === 'FAILED') return null
  return BigInt(readWhole(energy_used))
}

/** Reads the number that a contract returned to a dry run. */
export function readConstantResult(value: unknown): bigint {
  const [word] = (readByShape(DRY_RUN_SHAPE, value) as ReadDryRun).constant_result ?? []
  if (word?.length !== 32) throw new Error('the contract returned no number')
  return BigInt(toHex(word))
}

/** Reads the price of energy in sun. */
export function readEnergyPrice(value: unknown): bigint {
  const { chainParameter: all } = readByShape(CHAIN_PARAMETERS_SHAPE, value) as {
    chainParameter: { key: string; value?: unknown }[]
  }
  return BigInt(readWhole(all.find(({ key }) => key === 'getEnergyFee')?.value))
}

/**
 * Reads the energy that an account has left, and how the energy of the network is shared: `limit` a day over `weight`
 * staked TRX. An unused account is `{}`, and zeros are omitted.
 */
export function readResources(value: unknown): { energy: bigint; limit: bigint; weight: bigint } {
  const read = readByShape(ACCOUNT_RESOURCES_SHAPE, value) as Record<string, number>
  const { EnergyLimit = 0, EnergyUsed = 0, TotalEnergyLimit = 0, TotalEnergyWeight = 0 } = read
  const energy = BigInt(Math.max(0, EnergyLimit - EnergyUsed))
  return { energy, limit: BigInt(TotalEnergyLimit), weight: BigInt(TotalEnergyWeight) }
}

/** Reads how much staked TRX an account can lend, in sun; zero is omitted. */
export function readLendableStake(value: unknown): bigint {
  const { max_size = 0 } = readByShape(LENDABLE_STAKE_SHAPE, value) as { max_size?: number }
  return BigInt(max_size)
}
