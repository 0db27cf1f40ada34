type Plain = Record<string, unknown>

/** Splits 'GET /path/:id' and fills in `params` and `query`. Empty, null and undefined values are omitted. */
export function buildRequestTarget(key: string, params?: Plain, query?: Plain): { method: string; url: string } {
  const space = key.indexOf(' ')
  const path = key
    .slice(space + 1)
    .replace(/:([a-z_]+)/g, (_match, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.append(name, String(value))
  }
  const text = search.toString()
  return { method: key.slice(0, space), url: text ? `${path}?${text}` : path }
}
