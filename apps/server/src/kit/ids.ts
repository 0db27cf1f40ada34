import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Makes a time-ordered id (UUID version 7, RFC 9562): 48 bits of Unix milliseconds, then random bits. */
export function newId(ms: number = Date.now()): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The millisecond of the last generator, and how many it made before in it. */
let last = { ms: 0, before: 0 }

/**
 * Returns a generator of ids that sort in creation order, even within one millisecond, and after those of each of up to
 * 4,096 generators that this process made in it (a counter in `rand_a`, RFC 9562, section 6.2, method 1).
 */
export function makeOrderedIdGenerator(): () => string {
  const ms = Date.now()
  last = { ms, before: ms === last.ms ? last.before + 1 : 0 }
  const id = newId(ms)
  const start = id.slice(0, 15) + (last.before & 0xfff).toString(16).padStart(3, '0') + id.slice(18, -7)
  let count = 0
  return () => start + (count++).toString(16).padStart(7, '0')
}

/** Returns the 14 digits with which order numbers of a second (Unix) begin: UTC date and time. */
export const formatOrderNumberTime = (now: number): string =>
  new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14)

/** Makes a 32-digit order number: the digits of its time, then 18 random ones. `now` is Unix seconds. */
export function newTradeNo(now: number): string {
  const random = () => String(randomInt(1_000_000_000)).padStart(9, '0')
  return formatOrderNumberTime(now) + random() + random()
}

/** Makes a merchant id that is easy to read aloud: 'M' and ten digits. */
export const newMchid = () => `M${String(randomInt(1_000_000_000, 10_000_000_000))}`

/** Makes an application id: 'app_' and 20 lowercase hex digits. */
export const newAppid = () => `app_${randomBytes(10).toString('hex')}`
