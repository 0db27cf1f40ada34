/** Fewest and most leaves that a balance is split into. */
const leavesMin = 2
const leavesMax = 32

/** Returns so many random bytes. */
export type RandomBytes = (length: number) => Uint8Array

/**
 * Splits a balance into leaves of random amounts, so that a sibling in another merchant's path tells nobody's balance.
 * No leaf is larger than `cap`, the average balance, or than a sixteenth of the balance, if that is more: that somebody
 * has at least the average is known from the total.
 */
export function splitBalance(balance: bigint, cap: bigint, random: RandomBytes): bigint[] {
  const most = maxOf(cap, divideUp(2n * balance, BigInt(leavesMax)), 1n)
  const wanted = Number(minOf(divideUp(2n * balance, most), BigInt(leavesMax)))
  const leaves: bigint[] = []
  let rest = balance
  for (let left = Math.max(leavesMin, wanted); left > 1; left--) {
    const least = maxOf(0n, rest - most * BigInt(left - 1))
    const amount = least + randomBelow(minOf(most, rest) - least + 1n, random)
    leaves.push(amount)
    rest -= amount
  }
  return [...leaves, rest]
}

/** The largest leaf of balances that are not larger than sixteen times their average. */
export const computeLeafCap = (total: bigint, merchants: number): bigint =>
  merchants === 0 ? 1n : divideUp(total, BigInt(merchants))

/**
 * Puts items in a random order, each order equally likely. Many can be shuffled in parts, one after another: each draws
 * the items of the places from `from` down to `to`.
 */
export function shuffle<T>(items: T[], random: RandomBytes, from = items.length - 1, to = 1): T[] {
  for (let last = from; last >= to; last--) {
    const other = Number(randomBelow(BigInt(last + 1), random))
    const item = items[last]!
    items[last] = items[other]!
    items[other] = item
  }
  return items
}

/** A random number from 0 to `end` - 1, each equally likely. */
function randomBelow(end: bigint, random: RandomBytes): bigint {
  const bits = (end - 1n).toString(2).length
  const bytes = Math.ceil(bits / 8)
  for (;;) {
    let number = 0n
    for (const byte of random(bytes)) number = number * 256n + BigInt(byte)
    number &= (1n << BigInt(bits)) - 1n
    if (number < end) return number
  }
}

const divideUp = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom

function maxOf(...amounts: bigint[]): bigint {
  let most = amounts[0]!
  for (const amount of amounts) if (amount > most) most = amount
  return most
}

const minOf = (...amounts: bigint[]): bigint => -maxOf(...amounts.map(each => -each))
