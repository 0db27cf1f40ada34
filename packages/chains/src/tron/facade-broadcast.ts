import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { recoverAddress } from 'viem/utils'
import { decodeMessage, type ProtobufMessage, readBytesField, readNumberField } from './protobuf.ts'

/** Price of energy of the emulated chain, in sun: what the local chain charges for gas. */
export const ENERGY_PRICE = 420n

type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>

/** Price of the bandwidth of a plain transfer, in sun for each unit of gas. */
const BANDWIDTH_PRICE = 12n

/** Energy a day, over staked TRX, of the emulated network: 10 for each. */
export const ENERGY_TOTALS = { TotalEnergyLimit: 10_000_000, TotalEnergyWeight: 1_000_000 }
const ENERGY_PER_SUN = 100_000n

interface Known {
  tron: Map<string, string>
  local: Map<string, string>
  /** Transactions as they were broadcast, in hex with 0x, by the local chain's ids. */
  raws: Map<string, string>
  last: Promise<unknown>
  /** Energy that addresses have, and staked sun that they can lend. */
  energy: Map<string, bigint>
  lendable: Map<string, bigint>
}

/** Ids of transactions and blocks on TRON by those of the local chain, and the reverse, by the local chain's URL. */
const ids = new Map<string, Known>()

/** What the emulated nodes of a local chain share: ids of its blocks and transactions on TRON, and energy. */
export function emulatedStateOf(target: string): Known {
  const known = ids.get(target) ?? {
    tron: new Map(),
    local: new Map(),
    raws: new Map(),
    last: Promise.resolve(),
    energy: new Map(),
    lendable: new Map(),
  }
  ids.set(target, known)
  return known
}

export const forgetIds = (target: string): void => void ids.delete(target)

/** Replaces ids in a text. */
export const replaceIds = (text: string, map: ReadonlyMap<string, string>): string =>
  map.size === 0 ? text : text.replaceAll(/[0-9a-f]{64}/g, id => map.get(id) ?? id)

/**
 * Executes a signed transaction on the local chain as its sender, as `/wallet/broadcasthex` does, unless the node
 * forgets it. The nodes of a chain do so one after the other.
 */
export function broadcast(target: string, ask: Ask, raw: string, forgets: boolean): Promise<Record<string, unknown>> {
  const known = emulatedStateOf(target)
  const executed = known.last.then(() => execute(target, ask, raw, forgets))
  known.last = executed.catch(() => {})
  return executed
}

async function execute(target: string, ask: Ask, raw: string, forgets: boolean): Promise<Record<string, unknown>> {
  const { tron, local, raws, energy, lendable } = emulatedStateOf(target)
  const { txid, does, from, to, amount, data, feeLimit, expiration, signer } = await readRaw(raw)
  const refused = (code: string, message = '') => ({ code, txid, message })
  // A reorg may have lost it.
  const known = local.get(txid)
  if (known && (await ask('eth_getTransactionByHash', `0x${known}`)) !== null) return refused('DUP_TRANSACTION_ERROR')
  const { timestamp } = await ask<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  if (expiration <= BigInt(timestamp) * 1_000n) return refused('TRANSACTION_EXPIRATION_ERROR')
  if (signer !== from) return refused('SIGERROR')
  const own = energy.get(from) ?? 0n
  let gasPrice = BANDWIDTH_PRICE
  let transaction = {}
  let applied = () => {}
  if (does === 'transfer') transaction = { to, value: hex(amount), gas: hex(21_000n) }
  else if (does === 'call') {
    const gas = feeLimit / ENERGY_PRICE
    transaction = { to, data, gas: hex(gas) }
    const used = BigInt((await ask<string | undefined>('eth_estimateGas', { from, ...transaction })) ?? gas)
    // Either all of it or none: the local chain has one price for a transaction.
    gasPrice = own >= used ? 0n : ENERGY_PRICE
    if (own >= used) applied = () => void energy.set(from, own - used)
  } else {
    const lent = lendable.get(from) ?? 0n
    const sign = does === 'lend' ? 1n : -1n
    const isThere = (await ask<string>('eth_getBalance', to, 'latest')) !== '0x0'
    if (!isThere || sign * amount > lent) return refused('CONTRACT_VALIDATE_ERROR', 'no account or not as much staked')
    transaction = { to, value: '0x0', gas: hex(21_000n) }
    applied = () => {
      lendable.set(from, lent - sign * amount)
      const left = (energy.get(to) ?? 0n) + (sign * amount) / ENERGY_PER_SUN
      energy.set(to, left < 0n ? 0n : left)
    }
  }
  if (forgets) return { result: true, txid }
  try {
    await ask('anvil_impersonateAccount', from)
    const id = await ask<string | undefined>('eth_sendTransaction', {
      from,
      gasPrice: hex(gasPrice),
      ...transaction,
    })
    if (!id) return refused('CONTRACT_VALIDATE_ERROR', 'no balance')
    tron.set(id.slice(2), txid)
    local.set(txid, id.slice(2))
    raws.set(id.slice(2), `0x${raw}`)
    applied()
    return { result: true, txid }
  } catch (error) {
    return refused('CONTRACT_VALIDATE_ERROR', (error as Error).message)
  }
}

/**
 * Reads a signed transaction in hex, without 0x as its id. `to` is the receiver, or the contract that `data` calls;
 * `expiration` is in milliseconds, and `refBlock` what a transaction names of a block: the end of its height and a part
 * of its id.
 */
export async function readRaw(raw: string) {
  const whole = decodeMessage(hexToBytes(raw))
  const content = decodeMessage(readBytesField(whole, 1))
  const contract = decodeMessage(readBytesField(content, 11))
  const value = decodeMessage(readBytesField(decodeMessage(readBytesField(contract, 2)), 2))
  const txid = bytesToHex(sha256(readBytesField(whole, 1)))
  const does = contractTypes.get(readNumberField(contract, 1)) ?? 'take back'
  const signature = `0x${bytesToHex(readBytesField(whole, 2))}` as const
  return {
    txid,
    does,
    from: addressOf(value, 1),
    to: addressOf(value, does === 'transfer' || does === 'call' ? 2 : 4),
    amount: readNumberField(value, 3),
    data: does === 'call' ? `0x${bytesToHex(readBytesField(value, 4))}` : '0x',
    feeLimit: readNumberField(content, 18),
    expiration: readNumberField(content, 8),
    refBlock: `${bytesToHex(readBytesField(content, 1))}${bytesToHex(readBytesField(content, 4))}`,
    signer: (await recoverAddress({ hash: `0x${txid}`, signature })).toLowerCase(),
  }
}

/** What contracts do, by the numbers of their types; what is not listed takes back energy (58). */
const contractTypes = new Map<bigint, 'transfer' | 'call' | 'lend'>([
  [1n, 'transfer'],
  [31n, 'call'],
  [57n, 'lend'],
])
const hex = (n: bigint) => `0x${n.toString(16)}`
const addressOf = (message: ProtobufMessage, field: number) =>
  `0x${bytesToHex(readBytesField(message, field)).slice(2)}`
