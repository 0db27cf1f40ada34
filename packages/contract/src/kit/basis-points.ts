/** The largest fee, in hundredths of a percent. */
export const feeBpsMax = 1_000

/** Formats hundredths of a percent, with two decimals: 40 is 0.40%. */
export const formatBasisPoints = (basisPoints: number): string => `${(basisPoints / 100).toFixed(2)}%`

/** Reads a percentage of at most two decimals, such as 0.4 or 0.40%, in hundredths of a percent. Null if it is none. */
export function parseBasisPoints(text: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?\s?%?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
