/** Keys in local storage. Where storage is unavailable (private windows) nothing is remembered. */
export type StorageName =
  | 'token'
  | 'language'
  | 'theme'
  | 'menu'
  | 'zone'
  | 'hidden'
  | 'collect'
  | 'counter'
  | 'push'
  | 'bell'
  | 'ended'
  | 'shop'
  | 'refused'

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

/** Keeps a text until this tab is closed. Where storage is unavailable it is lost. */
export function writeSessionStorage(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // Without storage the value lasts only for this page.
  }
}

/** Returns and clears a text of this tab. */
export function takeFromSessionStorage(name: string): string | null {
  const value = readSessionStorage(name)
  writeSessionStorage(name, null)
  return value
}

export function readSessionStorage(name: string): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}
