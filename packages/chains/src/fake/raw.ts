import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Fees } from '../chain.ts'
import type { FakeMovement } from './ledger.ts'

/** A payment that the fake chain accepts as signed. */
export type FakePayment = FakeMovement & { nonce: number; fees: Fees }

/** "Signs" a payment for the fake chain: encodes it as hex of JSON. Different fees give a different transaction. */
export function fakeSign(payment: FakePayment): { raw: string; txid: string } {
  const text = JSON.stringify(payment, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  const raw = `0x${bytesToHex(utf8ToBytes(text))}`
  return { raw, txid: fakeTxid(raw) }
}

/** Returns the transaction id of "signed" bytes. */
export function fakeTxid(raw: string): string {
  return `0x${bytesToHex(sha256(hexToBytes(raw.slice(2))))}`
}

/** Decodes what `fakeSign` encoded. */
export function fakeDecode(raw: string): FakePayment {
  const text = Buffer.from(raw.slice(2), 'hex').toString('utf8')
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
}
