/** Processor time (µs) that is measured only once. */
const enough = 20_000

/** Processor time (µs) of one run, the least of several measurements, each of enough runs for the clock. */
function costOf(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  let spent = 0
  let runs = 1
  for (let times = 0; times < 3 && spent < enough; times++) {
    for (spent = 0; spent < 500; runs *= spent < 500 ? 4 : 1) {
      const before = process.threadCpuUsage()
      for (let each = 0; each < runs; each++) run()
      const { user, system } = process.threadCpuUsage(before)
      spent = user + system
    }
    least = Math.min(least, spent / runs)
  }
  return least
}

/**
 * Says how processor time grows with the length of an input: 1 when in proportion, 16 when with its square, for an
 * input 16 times as long.
 * @param work makes an input of about a length, and returns what is to be measured
 */
export function growth(work: (length: number) => () => void, short = 1_000): number {
  const times = 16
  const first = work(short)
  const second = work(short * times)
  // Code that ran before is compiled.
  for (let warm = 0; warm < 3; warm++) first()
  return costOf(second) / costOf(first) / times
}
