/** What is encoded: bytes, bytes as hex with 0x, a number of up to 53 bits, or a list. */
export type Item = Uint8Array | string | number | readonly Item[]

/** Bytes of the space that is kept for the next item. */
const usual = 1 << 18
let scratch = Buffer.allocUnsafeSlow(usual)
/** The same memory: cutting a piece out of a Buffer takes longer. */
let plain = new Uint8Array(scratch.buffer)

function allocate(size: number): void {
  scratch = Buffer.allocUnsafeSlow(size)
  plain = new Uint8Array(scratch.buffer)
}

/**
 * Encodes by RLP (Yellow Paper, appendix B), after the byte of a type if there is one. It is written from its end on, so that the length
 * of a list is known before its first byte, and hex is decoded in its place: @ethereumjs/rlp takes a third of the time that verifying a
 * block does. Throws Error for text that is not hex of whole bytes.
 */
export function encodeRlp(item: Item, type = 0): Uint8Array {
  for (;;) {
    let at = write(item, scratch.length)
    if (at > 0) {
      if (type > 0) scratch[--at] = type
      const encoded = plain.slice(at)
      if (scratch.length > usual) allocate(usual)
      return encoded
    }
    allocate(scratch.length * 2)
  }
}

/** Writes an item before `end`. Returns where it starts; 0 or less if there is too little space. */
function write(item: Item, end: number): number {
  if (typeof item === 'string') return writeHex(item, end)
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

function writeHex(hex: string, end: number): number {
  const length = hex.length / 2 - 1
  const at = end - length
  if (at <= 9) return 0
  // Writing stops at the first digit that is none.
  if (!hex.startsWith('0x') || !Number.isInteger(length) || scratch.write(hex.slice(2), at, length, 'hex') !== length)
    throw new Error('invalid bytes in response')
  return writeLength(at, length, 0x80)
}

function writeNumber(value: number, end: number): number {
  if (end <= 9) return 0
  let at = end
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) scratch[--at] = rest % 256
  return writeLength(at, end - at, 0x80)
}

/** Writes what precedes bytes. A byte below 0x80 is its own encoding. */
const writeLength = (at: number, length: number, base: number): number =>
  length === 1 && scratch[at]! < 0x80 ? at : writeHead(at, length, base)

function writeHead(end: number, length: number, base: number): number {
  let at = end
  if (length < 56) {
    scratch[--at] = base + length
    return at
  }
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) scratch[--at] = rest % 256
  scratch[at - 1] = base + 55 + (end - at)
  return at - 1
}
