export const isUnderM = (path: string): boolean => path === '/m' || path.startsWith('/m/')

/** The path without the phone prefix /m. */
export const plainPath = (path: string): string => (isUnderM(path) ? path.slice(2) || '/' : path)

/** Which plain paths have a page, and which of them have a phone variant under /m/. */
interface Pages {
  desktop(plain: string): boolean
  phone(plain: string): boolean
}

/**
 * The path a device should be redirected to, or null. Phones use /m/ where a phone variant exists, and plain paths
 * otherwise.
 */
export function pathForDevice(path: string, phone: boolean, pages: Pages): string | null {
  const plain = plainPath(path)
  const wanted = phone && pages.phone(plain) ? `/m${plain}` : plain
  // Unknown paths are not redirected, so that they show as not found.
  if (phone && isUnderM(path) && !pages.desktop(plain)) return null
  return wanted === path || (path === '/m' && wanted === '/m/') ? null : wanted
}
