import { Refusal } from '../kit/refusal.ts'

/** Streams that one process holds open in all. */
const allMax = 5_000

let all = 0

/**
 * Places for open streams: `max` for each key. Gives a function that takes one and gives how to leave it; it throws
 * Refusal('busy') when none is left. Whoever gets none asks again and again instead.
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
