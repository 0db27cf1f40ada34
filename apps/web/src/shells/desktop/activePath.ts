/** The entry a path belongs to: itself, or the nearest one above it. */
export const activePath = (path: string, paths: string[]): string | undefined =>
  paths.filter(each => path === each || path.startsWith(`${each}/`)).sort((a, b) => b.length - a.length)[0]
