import type { Random } from '@coffer/chains/fake/random.ts'
import type { World } from './world.ts'

/** A simulation step. Each has its own random source, so that its draws do not affect later steps. */
type Step = (world: World, dice: Random) => Promise<void>

/** Steps by name with their relative weights. */
export type Steps = Record<string, [weight: number, step: Step]>

/** Picks an element of a non-empty list. */
export const oneOf = <T>(dice: Random, list: readonly T[]): T => list[dice.below(list.length)]!

/** Returns the nodes of a chain beginning with any of them, mostly the one that is queried first. */
export function rotated<T>(dice: Random, nodes: readonly T[]): T[] {
  const at = dice.chance(0.5) ? 0 : dice.below(nodes.length)
  return [...nodes.slice(at), ...nodes.slice(0, at)]
}
