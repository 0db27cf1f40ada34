/** Draws how much waits onto the icon of the tab. */
export function showCountOnFavicon(svg: string, count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = `data:image/svg+xml,${encodeURIComponent(renderCountIcon(svg, count))}`
}

/** Returns an icon of 32 by 32 with a number in its corner; without anything that waits, the icon itself. */
export function renderCountIcon(svg: string, count: number): string {
  if (count <= 0) return svg
  const text = count > 99 ? '99+' : String(count)
  const size = [17, 15, 11][text.length - 1]!
  return svg.replace(
    '</svg>',
    `<rect x="9" y="11" width="23" height="21" rx="8" fill="#c8301f"/><text x="20.5" y="21.5" fill="#fff" font-family="Arial, sans-serif" font-size="${size}" font-weight="700" text-anchor="middle" dominant-baseline="central">${text}</text></svg>`,
  )
}
