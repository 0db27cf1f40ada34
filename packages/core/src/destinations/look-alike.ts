/**
 * How many characters at the beginning and at the end make two addresses look alike: people compare about six, as masks
 * show them. Address poisoning relies on that: an address with six chosen characters takes seconds to make.
 */
const alike = [
  [3, 3],
  [2, 4],
  [4, 2],
  [6, 0],
  [0, 6],
] as const

/**
 * The first and last six characters of an address behind what all addresses of its kind begin with, without their case.
 */
export interface AddressEnds {
  head: string
  tail: string
}

/**
 * Where two addresses of one length differ: from the first differing character to behind the last. Null if they are
 * equal.
 */
export type AddressDifference = { from: number; to: number } | null

/**
 * Returns the visible ends of an address in display form. All addresses of its kind begin with `prefix`, which nobody
 * compares.
 */
export function addressEndsOf(address: string, prefix: string): AddressEnds {
  const text = address.slice(prefix.length).toLowerCase()
  return { head: text.slice(0, 6), tail: text.slice(-6) }
}

/** Whether two different addresses with these ends could be mistaken for each other. */
export const looksAlike = (one: AddressEnds, other: AddressEnds): boolean =>
  alike.some(
    ([first, last]) =>
      one.head.slice(0, first) === other.head.slice(0, first) &&
      one.tail.slice(6 - last) === other.tail.slice(6 - last),
  )

/** Returns where two addresses differ, without regard to case, so that a page can mark it. */
export function addressDifferenceOf(one: string, other: string): AddressDifference {
  const a = one.toLowerCase()
  const b = other.toLowerCase()
  if (a === b) return null
  let from = 0
  while (a[from] === b[from]) from++
  let back = 0
  while (back < Math.min(a.length, b.length) - from && a.at(-1 - back) === b.at(-1 - back)) back++
  return { from, to: a.length - back }
}
