export const isUnderM = (path: string): boolean => path === '/m' || path.startsWith('/m/')

/** The path without the /m that stands before it on phones. */
export const plainPath = (path: string): string => (isUnderM(path) ? path.slice(2) || '/' : path)

/** Which plain paths have a page, and which of them are a phone's under /m/. */
interface Pages {
  desktop(plain: string): boolean
  phone(plain: string): boolean
}

/**
 * The path on which a device should be: phones under /m/, everything else not. Null when it is there already. Pages
 * without a phone layout stand at their plain path for phones too.
 */
export function pathForDevice(path: string, phone: boolean, pages: Pages): string | null {
  const plain = plainPath(path)
  const wanted = phone && pages.phone(plain) ? `/m${plain}` : plain
  // What is nowhere stays where it was asked for, and is said not to be there.
  if (phone && isUnderM(path) && !pages.desktop(plain)) return null
  return wanted === path || (path === '/m' && wanted === '/m/') ? null : wanted
}
