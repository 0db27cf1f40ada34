/** True for phones. Tablets get the desktop layout, which has room there. */
export const isPhoneAgent = (userAgent: string): boolean =>
  /iPhone|iPod|Windows Phone|BlackBerry|Opera Mini|Android(?=.*Mobile)/i.test(userAgent)

/**
 * The path on which a device should be: phones under /m/, everything else not. Null when it is there already.
 * Paths without a phone layout stay where they are: `hasPhonePage` tells.
 */
export function pathForDevice(path: string, phone: boolean, hasPhonePage: (plain: string) => boolean): string | null {
  const underM = path === '/m' || path.startsWith('/m/')
  const plain = underM ? path.slice(2) || '/' : path
  if (!phone) return underM ? plain : null
  if (underM) return null
  return hasPhonePage(plain) ? `/m${plain}` : null
}
