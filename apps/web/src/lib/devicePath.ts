export const isMobilePath = (path: string): boolean => path === '/m' || path.startsWith('/m/')

/** The path that a device should be redirected to, or null. Phones use paths under /m/, other devices those without. */
export function pathForDevice(path: string, phone: boolean): string | null {
  if (phone === isMobilePath(path)) return null
  return phone ? `/m${path}` : path.slice(2) || '/'
}
