/** Marks of 0.1 and less are whole numbers divided, as their sums are not exact. */
const times = (count: number, exponent: number) => (exponent < 0 ? count / 10 ** -exponent : count * 10 ** exponent)

/**
 * About `count` round marks of an axis from 0: the last is the first not below `highest`. Steps are 1, 2 or 5 times a
 * power of ten.
 */
export function computeAxisTicks(highest: number, count: number): number[] {
  const rough = highest / count
  const exponent = Math.floor(Math.log10(rough))
  // The step that is nearest on a scale on which 1, 2, 5 and 10 are about equally far apart.
  const step = [10, 5, 2].find(each => rough / 10 ** exponent >= Math.sqrt((each * each) / 2)) ?? 1
  const marks = [0]
  for (let mark = 0, index = 1; mark < highest; index++) {
    mark = times(index * step, exponent)
    marks.push(mark)
  }
  return marks
}
