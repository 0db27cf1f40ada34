/** Characters to the four bits that they stand for; what is no digit of hex has a bit above them. */
const DIGITS = new Uint16Array(65_536).fill(0x1_00)
for (let value = 0; value < 16; value++)
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) DIGITS[digit.charCodeAt(0)] = value
/** Bytes from which on Node's decoder is faster than a loop. */
const long = 28

/**
 * The only decoder of hex that nodes send. Node's own takes the low byte of a wider character, so that U+0164 counts as
 * `d`, and stops without a word at what is no digit: the same bytes could then be read from many texts. Writes the
 * bytes of a text with 0x to `target` at `at`, where there must be space for half its length.
 * @throws Error if the text is not `0x` and whole bytes
 */
export function decodeHexInto(text: string, target: Buffer, at: number): void {
  const length = text.length / 2 - 1
  if (!text.startsWith('0x') || !Number.isInteger(length) || !decode(text, length, target, at))
    throw new Error('invalid bytes in response')
}

function decode(text: string, length: number, target: Buffer, at: number): boolean {
  // Only of text in ASCII every character is one byte.
  if (length >= long)
    return Buffer.byteLength(text) === text.length && target.write(text.slice(2), at, length, 'hex') === length
  let all = 0
  for (let i = 2, to = at; i < text.length; i += 2) {
    const byte = (DIGITS[text.charCodeAt(i)]! << 4) | DIGITS[text.charCodeAt(i + 1)]!
    all |= byte
    target[to++] = byte
  }
  return all < 0x1_00
}

/**
 * Reads the digits of a number from `from` on. Returns it, or NaN if one is no digit of hex. At most 13 digits are
 * exact.
 */
export function parseHexDigits(text: string, from: number): number {
  let number = 0
  let all = 0
  for (let i = from; i < text.length; i++) {
    const digit = DIGITS[text.charCodeAt(i)]!
    all |= digit
    number = number * 16 + digit
  }
  return all < 16 ? number : Number.NaN
}

/** Returns the bytes of a text with 0x. Throws Error if it is not `0x` and whole bytes. */
export function parseHexBytes(text: unknown): Buffer {
  if (typeof text !== 'string') throw new Error('invalid bytes in response')
  const bytes = Buffer.alloc(text.length >> 1)
  decodeHexInto(text, bytes, 0)
  return bytes.subarray(0, -1)
}

/** Returns bytes as hex with 0x, in lower case. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}
