/** What this site keeps in local storage. Storage may be closed (private windows): then nothing is remembered. */
export type StorageName = 'token' | 'language' | 'theme' | 'menu'

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
    // Nothing to do: the choice holds for this page only.
  }
}
