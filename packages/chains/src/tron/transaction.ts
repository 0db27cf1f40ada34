import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { ChainAction, TronTerms } from '../action.ts'
import { transferData } from '../evm/calls.ts'
import { decodeMessage, encodeMessage, type ProtobufField, readBytesField } from './protobuf.ts'

/**
 * Numbers of contract types and of the resource (`protocol.Transaction.Contract.ContractType`,
 * `protocol.ResourceCode`).
 */
const TRANSFER = 1
const TRIGGER = 31
const DELEGATE = 57
const UNDELEGATE = 58
const ENERGY = 1
/** The most sun that a transaction can hold, a signed number of 64 bits, and the most units of a token. */
export const MAX_AMOUNT_SUN = 2n ** 63n - 1n
const MOST_UNITS = 2n ** 256n - 1n

/** What transactions on TRON can do. */
export type TronAction = Extract<ChainAction, { does: 'transfer' | 'delegate' | 'undelegate' }>

/**
 * Encodes the part of a transaction that is signed (`protocol.Transaction.raw`). Its reference block ties it to one
 * chain, and after its expiration no block may contain it. Nodes offer to build transactions; what they return is not
 * signed.
 * @param owner who signs, in stored form
 */
export function encodeTronTransaction(action: TronAction, terms: TronTerms, owner: string): Uint8Array {
  const { refBlock, expiration, timestamp, feeLimit } = terms
  const most = action.does === 'transfer' && action.token !== null ? MOST_UNITS : MAX_AMOUNT_SUN
  if (action.amount < 0n || action.amount > most) throw new Error('amount is out of range')
  const [type, name, fields] = contractOf(action, addressBytes(owner))
  const parameter = encodeMessage([
    [1, `type.googleapis.com/protocol.${name}`],
    [2, encodeMessage(fields)],
  ])
  const contract = encodeMessage([
    [1, type],
    [2, parameter],
  ])
  return encodeMessage([
    // The last two bytes of the height, and the middle of the hash.
    [1, hexToBytes((refBlock.number % 65_536).toString(16).padStart(4, '0'))],
    [4, hexToBytes(refBlock.hash.slice(18, 34))],
    [8, expiration],
    [11, contract],
    [14, timestamp],
    [18, feeLimit],
  ])
}

/** The contract of an action: its type, name and fields. */
function contractOf(action: TronAction, owner: Uint8Array): [type: number, name: string, fields: ProtobufField[]] {
  const to = addressBytes(action.to)
  if (action.does === 'transfer') {
    if (action.token === null) {
      const fields: ProtobufField[] = [
        [1, owner],
        [2, to],
        [3, action.amount],
      ]
      return [TRANSFER, 'TransferContract', fields]
    }
    const fields: ProtobufField[] = [
      [1, owner],
      [2, addressBytes(action.token)],
      [4, hexToBytes(transferData(action.to, action.amount).slice(2))],
    ]
    return [TRIGGER, 'TriggerSmartContract', fields]
  }
  const fields: ProtobufField[] = [
    [1, owner],
    [2, ENERGY],
    [3, action.amount],
    [4, to],
  ]
  return action.does === 'delegate'
    ? [DELEGATE, 'DelegateResourceContract', fields]
    : [UNDELEGATE, 'UnDelegateResourceContract', fields]
}

/**
 * Signs a transaction. Only the signer calls this.
 * @returns the whole transaction (`protocol.Transaction`) in hex, and its id
 */
export async function signTron(action: TronAction, terms: TronTerms, privateKey: Uint8Array) {
  // Loaded on first use: only the signer needs it, and every process imports this module.
  const { privateKeyToAddress, sign } = await import('viem/accounts')
  const key = `0x${bytesToHex(privateKey)}` as const
  const data = encodeTronTransaction(action, terms, privateKeyToAddress(key))
  const { r, s, yParity } = await sign({ hash: `0x${bytesToHex(sha256(data))}`, privateKey: key })
  const signature = concatBytes(hexToBytes(r.slice(2)), hexToBytes(s.slice(2)), Uint8Array.of(yParity!))
  const raw = encodeMessage([
    [1, data],
    [2, signature],
  ])
  return { raw: `0x${bytesToHex(raw)}`, txid: tronTxidOf(`0x${bytesToHex(raw)}`) }
}

/** Returns the id of a signed transaction. */
export function tronTxidOf(raw: string): string {
  return `0x${bytesToHex(sha256(readBytesField(decodeMessage(hexToBytes(raw.slice(2))), 1)))}`
}

function addressBytes(address: string): Uint8Array {
  return hexToBytes(`41${address.slice(2).toLowerCase()}`)
}
