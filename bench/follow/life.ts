import { keccak } from '@coffer/chains/evm/keccak.ts'
import { hexToBytes } from 'viem'
import type { Random } from './random.ts'
import type { Rate } from './rates.ts'

export interface Log {
  address: string
  topics: string[]
  data: string
}

/** What a transaction does; its sender stands in its topics. */
export interface Act {
  from: string
  to: string
  /** In base units. */
  value: bigint
  input: string
  logs: Log[]
}

/** A deposit to make: `token` null is the native coin. */
export interface Deposit {
  block: number
  token: string | null
  to: string
  /** In base units. */
  amount: bigint
}

/** Part of the transactions that send native coin, and logs of one that is more than a transfer. */
const plain = 0.2
const manyLogs = 6
/** Topic of the event Transfer of ERC-20. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const selector = '0xa9059cbb'
const word = (hex: string) => hex.slice(2).padStart(64, '0')
const topicOf = (address: string) => `0x${word(address)}`

/** Invents what transactions of a chain do: native and token transfers, and calls with several logs. */
export function lifeOf(random: Random, rate: Rate, tokens: readonly string[]) {
  const people = Array.from({ length: 3_000 }, () => random.hex(20))
  const others = Array.from({ length: 60 }, () => random.hex(20))
  const events = Array.from({ length: 20 }, () => random.hex(32))
  // Transfers have one log and calls have many, so that the mean is right.
  const withLogs = Math.min(1 - plain, rate.logs)
  const calls = Math.max(0, (rate.logs - withLogs) / (manyLogs - 1))
  const amount = () => BigInt(random.hex(5))
  // Most words of calls and events are amounts and addresses.
  const words = (count: number) =>
    Array.from({ length: count }, () => word(random.below(2) > 0 ? random.hex(6) : random.pick(others))).join('')
  const transferLog = (token: string, from: string, to: string, units: bigint): Log => ({
    address: token,
    topics: [TRANSFER, topicOf(from), topicOf(to)],
    data: `0x${units.toString(16).padStart(64, '0')}`,
  })
  const transfer = (from: string, { token, to, amount }: Omit<Deposit, 'block'>): Act =>
    token === null
      ? { from, to, value: amount, input: '0x', logs: [] }
      : {
          from,
          to: token,
          value: 0n,
          input: `${selector}${word(to)}${amount.toString(16).padStart(64, '0')}`,
          logs: [transferLog(token, from, to, amount)],
        }
  const call = (): Act => {
    const from = random.pick(people)
    const to = random.pick(others)
    const logs = Array.from({ length: manyLogs }, (_, i): Log => {
      if (i % 2 === 0) return transferLog(random.pick(i === 0 ? tokens : others), from, random.pick(others), amount())
      return {
        address: random.pick(others),
        topics: [random.pick(events), topicOf(from), topicOf(to)].slice(0, 1 + (i % 3)),
        data: `0x${words(2 + random.below(4))}`,
      }
    })
    return { from, to, value: 0n, input: `${random.hex(4)}${words(4 + random.below(20))}`, logs }
  }
  return {
    transfer,
    next: (): Act => {
      const kind = random.below(1_000_000) / 1_000_000
      if (kind < calls) return call()
      const from = random.pick(people)
      const to = random.pick(people)
      if (kind >= withLogs) return transfer(from, { token: null, to, amount: amount() * 1_000_000n })
      const token = random.below(3) > 0 ? random.pick(tokens) : random.pick(others)
      return transfer(from, { token, to, amount: amount() })
    },
  }
}

const bits = new Map<string, number[]>()

/** The bits of a value in a bloom of 2,048 (Yellow Paper, 4.4.3). */
function bitsOf(hex: string): number[] {
  let found = bits.get(hex)
  if (!found) {
    const hash = keccak(hexToBytes(hex as `0x${string}`))
    found = [0, 2, 4].map(at => ((hash[at]! << 8) | hash[at + 1]!) & 2_047)
    bits.set(hex, found)
  }
  return found
}

/** Adds logs to a bloom of 256 bytes. */
export function addToBloom(bloom: Uint8Array, logs: readonly Log[]): void {
  for (const { address, topics } of logs)
    for (const value of [address, ...topics])
      for (const bit of bitsOf(value)) bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
}
