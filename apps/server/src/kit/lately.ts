/**
 * Caches what `read` returns for a key while the clock shows the same second. Concurrent callers share one read, and a
 * failed one is not kept. `forget` drops it at once.
 */
export function lately<K extends object, T>(read: (key: K) => Promise<T>) {
  const kept = new WeakMap<K, { at: number; value: Promise<T> }>()
  const get = (key: K, now: number): Promise<T> => {
    const last = kept.get(key)
    if (last?.at === now) return last.value
    const value = read(key)
    kept.set(key, { at: now, value })
    value.catch(() => {
      if (kept.get(key)?.value === value) kept.delete(key)
    })
    return value
  }
  return { get, forget: (key: K) => void kept.delete(key) }
}
