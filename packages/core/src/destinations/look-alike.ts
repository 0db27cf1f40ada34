/**
 * Characters at each end of an address that people compare, as masks show them. Address poisoning relies on that: an address
 * with chosen ends takes seconds to make.
 */
const head = 5
const tail = 4

/** Where two addresses of one length differ: from the first differing character to behind the last. Null if they are equal. */
export type Difference = { from: number; to: number } | null

/**
 * Whether two addresses of one chain, in display form, could be mistaken for each other: equal at both ends and different in
 * between. Letters count without their case, which only some chains use.
 */
export const looksAlike = (one: string, other: string): boolean =>
  endsOf(one) === endsOf(other) && one.toLowerCase() !== other.toLowerCase()

/** What two addresses that look alike have in common, as a key to find them by. */
export function endsOf(address: string): string {
  const text = address.toLowerCase()
  return `${text.slice(0, head)}${text.slice(-tail)}`
}

/** Returns where two addresses differ, without regard to case, so that a page can mark it. */
export function differenceOf(one: string, other: string): Difference {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  if (a === b) return null
  let from = 0
  while (a[from] === b[from]) from++
  let back = 0
  while (back < Math.min(a.length, b.length) - from && a.at(-1 - back) === b.at(-1 - back)) back++
  return { from, to: a.length - back }
}
