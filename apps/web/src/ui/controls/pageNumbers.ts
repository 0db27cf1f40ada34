/** Page numbers to show: first, last and two on each side of the current one; 0 marks a gap. */
export function pageNumbers(current: number, last: number): number[] {
  const wanted = [1, last, current - 1, current, current + 1].filter(page => page >= 1 && page <= last)
  const pages = [...new Set(wanted)].sort((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const before = pages[index - 1] ?? 0
    return page - before > 2 ? [0, page] : page - before === 2 ? [page - 1, page] : [page]
  })
}
