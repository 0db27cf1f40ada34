import { decodeHexInto, parseHexDigits } from '../hex.ts'

/** What is encoded: bytes, a number of up to 53 bits, or a list. */
export type RlpItem = Uint8Array | number | readonly RlpItem[]

/** Bytes of a piece of memory: one for a block's transactions takes a fraction of the time of one for each. */
const usual = 1 << 18
let space = Buffer.allocUnsafeSlow(usual)
/** The same memory: cutting a piece out of a Buffer takes longer. */
let plain = new Uint8Array(space.buffer)
/** What of it is free: its start. */
let free = usual

function allocate(size: number): void {
  space = Buffer.allocUnsafeSlow(size)
  plain = new Uint8Array(space.buffer)
  free = size
}

/** Encodes by RLP (Yellow Paper, appendix B). */
export const encodeRlp = (item: RlpItem): Uint8Array => encodeFromEnd(end => write(item, end))

/** Encodes by RLP for a moment: what `use` gets is overwritten after it has returned. */
export function withRlp<T>(item: RlpItem, use: (bytes: Uint8Array) => T): T {
  // First: it may replace the memory.
  const at = start(end => write(item, end))
  return use(plain.subarray(at, free))
}

/**
 * Returns what `write` encodes, after the byte of a type if there is one. It is written from its end on, so that the
 * length of a list is known before its first byte, and hex is decoded in its place: @ethereumjs/rlp takes a third of
 * the time that verifying a block does.
 * @param write writes before the given place; returns where that starts, or 0 or less if there is too little space
 */
export function encodeFromEnd(write: (end: number) => number, type = 0): Uint8Array {
  let at = start(write)
  if (type > 0) space[--at] = type
  const bytes = plain.subarray(at, free)
  free = at
  // A large piece would be kept by what is small.
  if (space.length > usual) allocate(usual)
  return bytes
}

/** Returns where the encoding starts that ends where the free space does. */
function start(write: (end: number) => number): number {
  for (;;) {
    const at = write(free)
    if (at > 0) return at
    allocate(free === space.length ? free * 2 : usual)
  }
}

/** Writes an item before `end`. Returns where it starts; 0 or less if there is too little space. */
function write(item: RlpItem, end: number): number {
  if (typeof item === 'number') return writeNumber(item, end)
  if (item instanceof Uint8Array) {
    const at = end - item.length
    if (at <= 9) return 0
    plain.set(item, at)
    return writeLength(at, item.length, 0x80)
  }
  let at = end
  for (let i = item.length - 1; i >= 0; i--) {
    at = write(item[i]!, at)
    if (at <= 9) return 0
  }
  return writeHead(at, end - at, 0xc0)
}

/** Writes the bytes of a text in hex. Throws Error if it is none. */
export function writeHexBytes(hex: string, end: number): number {
  const length = (hex.length - 2) >> 1
  const at = end - length
  if (at <= 9) return 0
  decodeHexInto(hex, space, at)
  return writeLength(at, length, 0x80)
}

/** Writes a whole number in hex as big-endian bytes without leading zeros. Throws Error if it is none. */
export function writeQuantity(hex: string, end: number): number {
  // Up to 52 bits.
  if (hex.length < 16) {
    const number = parseHexDigits(hex, 2)
    if (Number.isNaN(number)) throw new Error('invalid quantity in response')
    return writeNumber(number, end)
  }
  // Usual for numbers of 32 bytes.
  if (hex.length % 2 === 0 && hex.charCodeAt(2) !== 0x30) return writeHexBytes(hex, end)
  let first = 2
  while (first < hex.length && hex.charCodeAt(first) === 0x30) first++
  const digits = hex.slice(first)
  return writeHexBytes(digits.length % 2 === 1 ? `0x0${digits}` : `0x${digits}`, end)
}

/** Writes a number. */
export function writeNumber(value: number, end: number): number {
  if (end <= 9) return 0
  let at = end
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) space[--at] = rest % 256
  return writeLength(at, end - at, 0x80)
}

/** Writes what precedes bytes. A byte below 0x80 is its own encoding. */
const writeLength = (at: number, length: number, base: number): number =>
  length === 1 && space[at]! < 0x80 ? at : writeHead(at, length, base)

function writeHead(end: number, length: number, base: number): number {
  let at = end
  if (length < 56) {
    space[--at] = base + length
    return at
  }
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) space[--at] = rest % 256
  space[at - 1] = base + 55 + (end - at)
  return at - 1
}

/** Writes what precedes the items of a list, which were written before `end` down to `at`. */
export const writeList = (at: number, end: number): number => (at <= 9 ? 0 : writeHead(at, end - at, 0xc0))

/**
 * Walks the items of an encoded list. The present one is encoded from `at` on; its content is from `start` to `end`.
 */
export class RlpList {
  readonly bytes: Uint8Array
  #last: number
  at = 0
  start = 0
  end: number

  /** @param at where the list begins. Throws Error if there is none. */
  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.#last = bytes.length
    this.end = at
    if (!(bytes[at]! >= 0xc0)) throw new Error('no list where one belongs')
    this.next()
    this.#last = this.end
    this.end = this.start
  }

  /** Goes to the next item. Returns whether there is one. Throws Error if the encoding is none. */
  next(): boolean {
    const { bytes } = this
    const at = this.end
    if (at >= this.#last) return false
    this.at = at
    const head = bytes[at]!
    const base = head < 0xc0 ? 0x80 : 0xc0
    let start = at + 1
    let length = head - base
    if (head < 0x80) {
      start = at
      length = 1
    } else if (length > 55) {
      start += length - 55
      length = 0
      for (let i = at + 1; i < start; i++) length = length * 256 + bytes[i]!
    }
    this.start = start
    this.end = start + length
    // NaN where the bytes end too early.
    if (!(this.end <= this.#last)) throw new Error('item exceeds its list')
    return true
  }

  /** The bytes of the present item, or what a list among them holds. */
  get content(): Uint8Array {
    return this.bytes.subarray(this.start, this.end)
  }
}
