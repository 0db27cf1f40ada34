import type { RouteKey } from '@coffer/contract'
import { cell } from './cell.ts'
import { readStored, writeStored } from './storage.ts'
import { useCell } from './useCell.ts'

/**
 * Calls, and paths of pages, that the role of whoever signed in does not include: none for an owner. As the server said
 * last, so that nothing is drawn or asked for in vain before it says so again.
 */
export const refused = cell((readStored('refused') ?? '').split(','))

/** Keeps what is refused. Returns whether that is news. */
export function keepRefused(names: readonly string[]): boolean {
  const text = names.join()
  if (text === refused.get().join()) return false
  writeStored('refused', text || null)
  refused.set(text.split(','))
  return true
}

/** Returns whether the role of whoever signed in includes a call. */
export function useMay(): (call: RouteKey) => boolean {
  const names = useCell(refused)
  return name => !names.includes(name)
}

/** Returns whether the role of whoever signed in includes the page at a path. */
export const useMayOpen = useMay as () => (path: string) => boolean
