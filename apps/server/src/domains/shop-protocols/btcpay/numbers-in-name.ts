/** How WooCommerce's plugin names a refund, today and in older versions. */
const forms = [
  { before: 'Refund of order ', after: /;/g },
  { before: 'Refund for order no.: ', after: / reason:/g },
]
/** WooCommerce's plugin cuts a name here, in bytes, which may be inside the number. */
const cutAt = 50

/**
 * The order numbers that the name of a refund may mean: the name itself, and what stands between the marks of a
 * plugin's form. A mark that comes more than once, in the number or in the reason, gives several. Words of the name are
 * never taken for a number.
 */
export function numbersInName(name: string): string[] {
  const found = [name]
  for (const { before, after } of forms) {
    if (!name.startsWith(before)) continue
    const rest = name.slice(before.length)
    const ends = [...rest.matchAll(after)].map(mark => mark.index)
    if (ends.length === 0 && Buffer.byteLength(name) < cutAt) ends.push(rest.length)
    found.push(...ends.map(end => rest.slice(0, end)))
  }
  return found
}
