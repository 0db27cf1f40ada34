/** Keys in local storage. Where storage is unavailable (private windows) nothing is remembered. */
export type StorageName = 'token' | 'language' | 'theme' | 'menu' | 'zone' | 'hidden' | 'collect' | 'counter' | 'push'

export function readStored(name: StorageName): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function writeStored(name: StorageName, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Without storage the value lasts only for this page.
  }
}
