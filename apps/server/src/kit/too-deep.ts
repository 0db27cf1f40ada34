/**
 * How deep lists and objects of a body may stand in one another: more could take more stack than there is to write them
 * again.
 */
export const maxNestingDepth = 100

/** Reports whether lists and objects stand deeper in one another than `maxNestingDepth`. Takes no stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxNestingDepth) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
