import { Refusal } from '../kit/refusal.ts'

/** Maximum number of open streams in this process. */
const allMax = 5_000

let all = 0

/**
 * Limits open streams to `max` per key. The returned function takes a place and returns the function that releases it. It
 * throws Refusal('busy') when none is left; clients then poll.
 */
export function makePlaces(max: number): (key: string) => () => void {
  const open = new Map<string, number>()
  return key => {
    const here = open.get(key) ?? 0
    if (all >= allMax || here >= max) throw new Refusal('busy')
    all++
    open.set(key, here + 1)
    return () => {
      all--
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    }
  }
}
