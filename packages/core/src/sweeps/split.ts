/**
 * Splits an amount by weights into parts that sum to it exactly. Each part is the exact share rounded down, or one
 * more: units that are left go to the largest remainders, and among equal ones to the first.
 * @throws RangeError when there is no weight, or one is not positive
 */
export function splitByWeight(total: bigint, shares: readonly number[]): bigint[] {
  const weights = shares.map(BigInt)
  const sum = weights.reduce((all, weight) => all + weight, 0n)
  if (weights.length === 0 || weights.some(weight => weight <= 0n)) throw new RangeError('weights must be positive')
  const parts = weights.map(weight => (total * weight) / sum)
  const left = total - parts.reduce((all, part) => all + part, 0n)
  const rest = (i: number) => (total * weights[i]!) % sum
  const byRest = weights.map((_, i) => i).sort((a, b) => (rest(a) === rest(b) ? a - b : rest(a) > rest(b) ? -1 : 1))
  for (const i of byRest.slice(0, Number(left))) parts[i]! += 1n
  return parts
}
