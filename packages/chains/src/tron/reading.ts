import { parseHexBytes } from '../hex.ts'
import { runAtOnce } from '../nodes/pace.ts'
import type { TronShape } from './fields.ts'

/** What is read of a shape: bytes, numbers, texts, flags, and lists and objects of these. */
export type ReadFields = Record<string, unknown>

/** Whether the answer is `{}`, which means not found. Throws Error if it is no object. */
export function isEmptyAnswer(value: unknown): boolean {
  return Object.keys(record(value)).length === 0
}

/**
 * Reads an answer by its declaration: what is not declared is left out, hex becomes bytes, and what is left out of an
 * object is undefined.
 * @throws Error if a value has another shape
 */
export function readByShape(shape: TronShape, value: unknown): unknown {
  switch (shape.is) {
    case 'bare':
    case 'bare data': {
      const bytes = parseHexBytes(typeof value === 'string' ? `0x${value}` : value)
      const fits = shape.is === 'bare' ? bytes.length === shape.bytes : bytes.length <= shape.most
      if (!fits) throw new Error('hex of a wrong length in response')
      return bytes
    }
    case 'whole':
      return readWhole(value)
    case 'text':
      if (typeof value !== 'string' || value.length > shape.most) throw new Error('invalid text in response')
      return value
    case 'flag':
      if (typeof value !== 'boolean') throw new Error('invalid flag in response')
      return value
    case 'loose':
      return value
    case 'list':
    case 'object':
      return runAtOnce(readByShapeInSteps(shape, value))
  }
}

/** The same in steps: yields the bytes that were read since the last one. Throws as `readByShape`. */
export function* readByShapeInSteps(shape: TronShape, value: unknown): Generator<number, unknown> {
  if (shape.is === 'list') {
    if (!Array.isArray(value) || value.length > shape.most) throw new Error('response has no list where one belongs')
    const items: unknown[] = []
    for (const item of value) {
      items.push(yield* readByShapeInSteps(shape.of, item))
      yield 0
    }
    return items
  }
  if (shape.is === 'object') {
    const json = record(value)
    const read: ReadFields = {}
    for (const { name, shape: of, optional } of shape.fields)
      if (!optional || json[name] !== undefined) read[name] = yield* readByShapeInSteps(of, json[name])
    return read
  }
  const read = readByShape(shape, value)
  if (Buffer.isBuffer(read) && read.length > 1_024) yield read.length
  return read
}

/** Reads a number. A larger one of JSON has lost digits in parsing. Throws Error. */
export function readWhole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('invalid number in response')
  return value as number
}

function record(value: unknown): ReadFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('response is not an object')
  return value as ReadFields
}
