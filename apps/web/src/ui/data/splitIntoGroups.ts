/**
 * Splits an address, hash or number into groups of four characters, which are easier to compare. The first takes the
 * remainder.
 */
export function splitIntoGroups(text: string): string[] {
  const first = 4 + (text.length % 4)
  return [text.slice(0, first), ...(text.slice(first).match(/.{4}/g) ?? [])]
}
