/** Truncates a decimal string to at most `places` digits after the point, and drops trailing zeros. */
export function truncateDecimal(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const digits = fraction.slice(0, places).replace(/(?<!0)0+$/, '')
  return digits ? `${whole}.${digits}` : whole === '-0' ? '0' : whole
}
