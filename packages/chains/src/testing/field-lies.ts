import type { FieldEvidence, FieldShape } from '../evm/fields.ts'
import type { TronShape } from '../tron/fields.ts'

type AnyShape = FieldShape | TronShape

/** A field of an answer: the way to it, and what its declaration says of it. */
export type Place = {
  path: readonly (string | number)[]
  /** The way without numbers: the same for all items of a list. */
  name: string
  shape: AnyShape
  cover: FieldEvidence
}

/** A lie about one field. */
export type FieldLie = { place: Place; how: How }

type Way = { path: Place['path']; name: string; cover: FieldEvidence }

/** Returns the fields that an answer has by the declaration of its shape, and the answer itself. */
export function placesIn(
  shape: AnyShape,
  value: unknown,
  way: Way = { path: [], name: '', cover: 'compared' },
): Place[] {
  return [{ ...way, shape }, ...partsOf(shape, value, way)]
}

function partsOf(shape: AnyShape, value: unknown, { path, name, cover }: Way): Place[] {
  if (shape.is === 'loose') return partsOf(shape.as, value, { path, name, cover })
  if (shape.is === 'list')
    return (value as unknown[]).flatMap((item, i) =>
      placesIn(shape.of, item, { path: [...path, i], name: `${name}[]`, cover }),
    )
  // Without its transactions, a block has only their hashes.
  if ((shape.is !== 'object' && shape.is !== 'typed') || typeof value !== 'object') return []
  const json = value as Record<string, unknown>
  const type = shape.is === 'typed' ? Number(json.type) : null
  const fields = shape.is === 'typed' ? shape.types[Number(json.type)]! : shape.fields
  const before = type === null ? name : `${name}(${type})`
  return fields.flatMap(field =>
    [field.name, ('or' in field && field.or) || field.name].flatMap((each, i, [first]) => {
      if (json[each] === undefined || (i > 0 && each === first)) return []
      return placesIn(field.shape, json[each], {
        path: [...path, each],
        name: `${before}.${each}`,
        cover: field.cover,
      })
    }),
  )
}

/**
 * Returns an answer with a lie in it, or as it is if it has no such field. `other` is the same answer about another
 * block.
 */
export function withLie(answer: unknown, { place, how }: FieldLie, other: unknown, depth = 0): unknown {
  const step = place.path[depth]
  if (step === undefined) return hows[how](answer, place.shape, other)
  if (typeof answer !== 'object' || answer === null || !(step in answer)) return answer
  const copy = (Array.isArray(answer) ? [...answer] : { ...answer }) as Record<string | number, unknown>
  const others = (other as Record<string | number, unknown> | null | undefined)?.[step]
  copy[step] = withLie(copy[step], { place, how }, others, depth + 1)
  return copy
}

type Lies = (value: unknown, shape: AnyShape, other: unknown) => unknown

const texts =
  (change: (text: string) => unknown): Lies =>
  value =>
    typeof value === 'string' ? change(value) : value
/** Adds to what a number or a text of hex says, in the same number of digits. */
const plus =
  (more: bigint): Lies =>
  value => {
    if (typeof value === 'number') return value + Number(more)
    const [, prefix = '', digits] = /^(0x)?([0-9a-f]+)$/i.exec(String(value)) ?? []
    if (typeof value !== 'string' || digits === undefined) return value
    const sum = BigInt.asUintN(digits.length * 4, BigInt(`0x${digits}`) + more)
    return prefix + sum.toString(16).padStart(digits.length, '0')
  }

/** Ways to lie in a field, whatever it is; not all change every value. */
const hows = {
  null: () => null,
  missing: () => undefined,
  number: () => 1,
  flag: value => value !== true,
  object: () => ({}),
  list: () => [],
  'nested list': value => [value],
  text: () => 'none',
  'no digits': () => '0x',
  'no prefix': texts(text => text.slice(2)),
  'another alphabet': texts(text => text.replace(/.$/, 'g')),
  // A decoder that takes the low byte of a character reads the same digit.
  wider: texts(text => text.replace(/.$/, digit => String.fromCharCode(digit.charCodeAt(0) + 0x1_00))),
  zero: value => (typeof value === 'string' ? value.replace(/[^x]/g, '0') : typeof value === 'number' ? 0 : value),
  more: plus(1n),
  less: plus(-1n),
  extra: value => {
    if (typeof value === 'string') return `${value}00`
    if (Array.isArray(value)) return [...value, value[0] ?? null]
    return typeof value === 'object' && value !== null ? { ...value, unknownField: `0x${'1'.repeat(64)}` } : value
  },
  shorter: value => {
    if (typeof value === 'string') return value.slice(0, -2)
    return Array.isArray(value) ? value.slice(0, -1) : value
  },
  reversed: value => (Array.isArray(value) ? value.toReversed() : value),
  huge: (value, shape) => {
    if (shape.is === 'whole') return 2 ** 60
    if (shape.is === 'list') return Array(shape.most + 1).fill((value as unknown[])[0] ?? null, 0, 9)
    if (shape.is === 'bare data') return '00'.repeat(shape.most + 1)
    return shape.is === 'data' ? `0x${'00'.repeat(shape.most + 1)}` : `0x${'f'.repeat(64)}`
  },
  'of another block': (value, _, other) => (other === undefined ? value : other),
} as const satisfies Record<string, Lies>

export type How = keyof typeof hows
/** All ways to lie in a field. */
export const allHows = Object.keys(hows) as How[]
