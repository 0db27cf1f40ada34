/**
 * A field of a message: bytes (or a message), text, or a whole number of 0 or more. Zeros and empty fields are left
 * out, as in proto3.
 */
export type ProtobufField = [number: number, value: Uint8Array | string | bigint | number | boolean]

/**
 * The fields of a message by their numbers. Of a field that is there several times the last one counts, as in proto3.
 */
export type ProtobufMessage = ReadonlyMap<number, bigint | Uint8Array>

/** Encodes a message of protocol buffers. Fields are written in the given order. */
export function encodeMessage(fields: readonly ProtobufField[]): Uint8Array {
  const parts = fields.flatMap(([number, value]) => {
    const content = typeof value === 'string' ? new TextEncoder().encode(value) : value
    if (content instanceof Uint8Array) return content.length === 0 ? [] : [encodeBytesField(number, content)]
    const whole = BigInt(content)
    return whole === 0n ? [] : [Uint8Array.from([...varint(BigInt(number) << 3n), ...varint(whole)])]
  })
  return Uint8Array.from(Buffer.concat(parts))
}

/** Encodes a field of bytes, or an item of a list of them, which may be empty. */
export function encodeBytesField(number: number, content: Uint8Array): Uint8Array {
  const head = [...varint((BigInt(number) << 3n) | 2n), ...varint(BigInt(content.length))]
  return Buffer.concat([Uint8Array.from(head), content])
}

/**
 * Decodes a message whose fields are numbers, bytes, or of a fixed size, which are skipped.
 * @throws Error if the bytes are no such message
 */
export function decodeMessage(bytes: Uint8Array): ProtobufMessage {
  const fields = new Map<number, bigint | Uint8Array>()
  let at = 0
  const number = () => {
    let value = 0n
    let shift = 0n
    let byte = 0x80
    for (; byte & 0x80; shift += 7n) {
      byte = bytes[at++] ?? 0x1_80
      if (byte > 0xff || shift > 63n) throw new Error('not a message of protocol buffers')
      value |= BigInt(byte & 0x7f) << shift
    }
    return BigInt.asUintN(64, value)
  }
  const take = (length: number) => {
    if (length > bytes.length - at) throw new Error('not a message of protocol buffers')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = number()
    const field = Number(tag >> 3n)
    const type = Number(tag & 7n)
    if (type === 0) fields.set(field, number())
    else if (type === 2) fields.set(field, take(Number(number())))
    else if (type === 1 || type === 5) take(type === 1 ? 8 : 4)
    else throw new Error('not a message of protocol buffers')
  }
  return fields
}

/** Returns a field of bytes; none is empty. Throws Error if it is a number. */
export function readBytesField(message: ProtobufMessage, field: number): Uint8Array {
  const value = message.get(field) ?? new Uint8Array()
  if (typeof value === 'bigint') throw new Error('not a message of protocol buffers')
  return value
}

/** Returns a field that is a number of 64 bits with a sign; none is 0. Throws Error if it is bytes. */
export function readNumberField(message: ProtobufMessage, field: number): bigint {
  const value = message.get(field) ?? 0n
  if (typeof value !== 'bigint') throw new Error('not a message of protocol buffers')
  return BigInt.asIntN(64, value)
}

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}
