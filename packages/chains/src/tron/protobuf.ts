/** A field of a message: bytes (or a message), text, or a whole number of 0 or more. Zeros and empty fields are left out, as in proto3. */
export type Field = [number: number, value: Uint8Array | string | bigint | number | boolean]

/** Encodes a message of protocol buffers. Fields are written in the given order. */
export function encodeMessage(fields: Field[]): Uint8Array {
  const bytes = fields.flatMap(([number, value]) => {
    const content = typeof value === 'string' ? new TextEncoder().encode(value) : value
    if (!(content instanceof Uint8Array)) {
      const whole = BigInt(content)
      return whole === 0n ? [] : [...varint(BigInt(number) << 3n), ...varint(whole)]
    }
    return content.length === 0
      ? []
      : [...varint((BigInt(number) << 3n) | 2n), ...varint(BigInt(content.length)), ...content]
  })
  return Uint8Array.from(bytes)
}

/**
 * Returns the content of the first field of a message, which must be bytes.
 * @throws Error if the message is not of this form
 */
export function firstBytes(message: Uint8Array): Uint8Array {
  let [length, shift, at] = [0, 0, 1]
  for (let byte = 0x80; byte & 0x80; shift += 7) {
    byte = message[at++] ?? 0x1_00
    length += (byte & 0x7f) * 2 ** shift
  }
  const isBytes = message[0] === 0x0a && at + length <= message.length
  if (!isBytes) throw new Error('message does not begin with bytes')
  return message.subarray(at, at + length)
}

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}
