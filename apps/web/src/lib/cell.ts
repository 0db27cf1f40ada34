/** An observable value outside React. */
export interface Cell<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function cell<T>(value: T): Cell<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
