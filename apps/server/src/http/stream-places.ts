import { Refusal } from '../kit/refusal.ts'

/**
 * Limits open event streams of one kind in this process: `all` together, and for each name of `limits` the streams with
 * the same key, such as of one merchant or address. The returned function takes a place and returns the function that
 * releases it. It throws Refusal('busy') when none is left; clients then poll.
 */
export function makeEventStreamLimiter<Name extends string>(
  all: number,
  limits: Record<Name, number>,
): (keys: Record<Name, string>) => () => void {
  let taken = 0
  const open = new Map<string, number>()
  return keys => {
    const places = (Object.keys(limits) as Name[]).map(name => ({ place: `${name} ${keys[name]}`, max: limits[name] }))
    if (taken >= all || places.some(({ place, max }) => (open.get(place) ?? 0) >= max)) throw new Refusal('busy')
    taken++
    for (const { place } of places) open.set(place, (open.get(place) ?? 0) + 1)
    return () => {
      taken--
      for (const { place } of places) {
        const left = (open.get(place) ?? 1) - 1
        if (left > 0) open.set(place, left)
        else open.delete(place)
      }
    }
  }
}
