import { randomBytes, randomInt } from 'node:crypto'

/** A time-ordered id (UUID version 7, RFC 9562): 48 bits of Unix milliseconds, then randomness. */
export function newId(ms: number = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A platform order number of 32 digits: UTC date and time to the second (14), then 18 random digits. `now` is Unix seconds. */
export function newTradeNo(now: number): string {
  const time = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  const random = () => String(randomInt(1_000_000_000)).padStart(9, '0')
  return time + random() + random()
}

/** A merchant id that people read aloud: 'M' and ten digits. */
export const newMchid = () => `M${String(randomInt(1_000_000_000, 10_000_000_000))}`

/** An application id: 'app_' and 20 lowercase hex digits. */
export const newAppid = () => `app_${randomBytes(10).toString('hex')}`
