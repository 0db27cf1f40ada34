/** Rows under their heads, in columns wide enough for what they hold. */
export function table(heads: string[], rows: string[][]): string {
  const widths = heads.map((head, index) => Math.max(head.length, ...rows.map(row => (row[index] ?? '').length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [heads, ...rows].map(line).join('\n')
}
