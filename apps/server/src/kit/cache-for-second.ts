/**
 * Caches what `read` returns for a key while the clock shows the same second. Concurrent callers share one read, and a
 * failed one is not cached. `forget` drops it at once.
 */
export function cacheForSecond<K extends object, T>(read: (key: K) => Promise<T>) {
  const cached = new WeakMap<K, { at: number; value: Promise<T> }>()
  const get = (key: K, now: number): Promise<T> => {
    const last = cached.get(key)
    if (last?.at === now) return last.value
    const value = read(key)
    cached.set(key, { at: now, value })
    value.catch(() => {
      if (cached.get(key)?.value === value) cached.delete(key)
    })
    return value
  }
  return { get, forget: (key: K) => void cached.delete(key) }
}
