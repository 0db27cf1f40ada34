import type { Random } from '@coffer/chains/fake/random.ts'
import type { World } from './world.ts'

/** Something that happens. It draws from dice of its own, so that what one step draws never changes the next. */
type Step = (world: World, dice: Random) => Promise<void>

/** Steps by name, each with how often it happens beside the others. */
export type Steps = Record<string, [weight: number, step: Step]>

/** One of a list that is not empty. */
export const oneOf = <T>(dice: Random, list: readonly T[]): T => list[dice.below(list.length)]!
